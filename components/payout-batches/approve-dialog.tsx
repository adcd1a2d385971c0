// Confirms the approval of a batch, then shows what became of it.
"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTexts } from "../i18n/use-texts";
import type { PayoutWarnings } from "../payout-intents/warning-marks";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { BADGE_TONES } from "../ui/badge";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Notice } from "../ui/notice";
import { type Batch, warningsText } from "./batch";
import { sumsText } from "./batch-line";

interface ApproveDialogProps {
  readonly batch: Batch;
  /** About its payouts that await approval. */
  readonly warnings: readonly PayoutWarnings[];
  /** The batch may have changed. */
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export default function ApproveDialog({ batch, warnings, onDone, onClose }: ApproveDialogProps) {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const approve = useMutation(
    trpc.payoutBatches.approve.mutationOptions({
      onSettled: () => {
        onDone();
        void queries.invalidateQueries({ queryKey: trpc.payoutIntents.waiting.queryKey() });
        void queries.invalidateQueries({ queryKey: trpc.wallets.list.queryKey() });
      },
    }),
  );
  const results = approve.data;
  const refused = results?.filter(({ status }) => status === null) ?? [];
  const waiting = batch.payouts.filter(({ status }) => status === "requires_approval");
  const count = batch.open;
  return (
    <Dialog
      title={
        results
          ? texts("batches.resultsOfCountApproved", {
              results: results.length - refused.length,
              count: results.length,
            })
          : texts("batches.approveTitle", { count })
      }
      onClose={onClose}
    >
      {results ? (
        refused.map(({ id, message }) => (
          <p key={id} className="text-sm text-bad">
            {batch.payouts.find((payout) => payout.id === id)?.merchant_reference}: {message}
          </p>
        ))
      ) : (
        <p className="figures text-sm">
          {texts.rich("batches.approveEffect", {
            strong: (words) => <strong>{words}</strong>,
            sums: sumsText(texts, waiting),
            sending:
              batch.approvals_required > 1
                ? texts("batches.approvalsRequiredEach", { approvalsRequired: batch.approvals_required })
                : texts("batches.cannotCallBack"),
          })}
        </p>
      )}
      {!results && warningsText(texts, warnings) !== "" ? (
        <p className={`rounded-md px-3.5 py-2.5 text-sm ${BADGE_TONES.warn}`}>
          {texts("batches.amongThemWarnings", { warnings: warningsText(texts, warnings) })}
        </p>
      ) : null}
      {approve.error ? (
        <Notice tone="bad" role="alert">
          {failureOf(texts, approve.error).message}
        </Notice>
      ) : null}
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="medium" data-first-focus="" onClick={onClose}>
          {results ? texts("batches.close") : texts("batches.notNow")}
        </Button>
        {results ? null : (
          <Button
            size="medium"
            tone="primary"
            aria-disabled={approve.isPending || undefined}
            onClick={() => approve.isPending || approve.mutate({ environment, id: batch.id, digest: batch.digest })}
          >
            {approve.isPending ? texts("batches.approving") : texts("batches.approve", { count })}
          </Button>
        )}
      </div>
    </Dialog>
  );
}
