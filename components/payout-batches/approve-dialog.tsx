// Confirms the approval of a batch, then shows what became of it.
"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { PayoutWarnings } from "../payout-intents/warning-marks";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { BADGE_TONES } from "../ui/badge";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Notice } from "../ui/notice";
import { type Batch, warningsText } from "./batch";
import { countText, sumsText } from "./batch-line";

interface ApproveDialogProps {
  readonly batch: Batch;
  /** About its payouts that await approval. */
  readonly warnings: readonly PayoutWarnings[];
  /** The batch may have changed. */
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export default function ApproveDialog({ batch, warnings, onDone, onClose }: ApproveDialogProps) {
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
  const count = countText(batch.open);
  return (
    <Dialog
      title={
        results ? `${results.length - refused.length} of ${countText(results.length)} approved` : `Approve ${count}?`
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
          In all <strong>{sumsText(waiting)}</strong> to the recipients of this batch. You sign each payout as it is
          shown on the page.{" "}
          {batch.approvals_required > 1
            ? `Each is sent with its last approval; ${batch.approvals_required} are required.`
            : "Once sent, they cannot be called back from here."}
        </p>
      )}
      {!results && warningsText(warnings) !== "" ? (
        <p className={`rounded-md px-3.5 py-2.5 text-sm ${BADGE_TONES.warn}`}>Among them: {warningsText(warnings)}.</p>
      ) : null}
      {approve.error ? (
        <Notice tone="bad" role="alert">
          {failureOf(approve.error).message}
        </Notice>
      ) : null}
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="medium" data-first-focus="" onClick={onClose}>
          {results ? "Close" : "Not now"}
        </Button>
        {results ? null : (
          <Button
            size="medium"
            tone="primary"
            aria-disabled={approve.isPending || undefined}
            onClick={() => approve.isPending || approve.mutate({ environment, id: batch.id, digest: batch.digest })}
          >
            {approve.isPending ? "Approving…" : `Approve ${count}`}
          </Button>
        )}
      </div>
    </Dialog>
  );
}
