// Decides on several payouts: confirms the sums, then shows each result.
"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { CircleCheck, CircleX } from "lucide-react";
import { useState } from "react";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { actorText } from "../intents/actor-text";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Notice } from "../ui/notice";
import { type Payout, sumAndRecipient } from "./payout";
import { isTooLong, ReasonField } from "./reason-field";
import { sumsOf } from "./sums";
import { useWarnings } from "./use-warnings";
import { WarningMarks } from "./warning-marks";

interface BulkDialogProps {
  readonly act: "approve" | "cancel";
  readonly payouts: readonly Payout[];
  /** The decisions were made. */
  readonly onDone: () => void;
  /** After the results. */
  readonly onClose: () => void;
  /** Without a decision; the selection stays. */
  readonly onBack: () => void;
}

const wordsIn = (texts: Texts, count: number) =>
  ({
    approve: {
      title: texts("payouts.approveManyTitle", { count }),
      act: texts("payouts.approveMany", { count }),
      results: (done: number) => texts("payouts.approvedOf", { done, of: count }),
      done: texts("payouts.approvedDone"),
      notDone: texts("payouts.notApproved"),
      sending: texts("payouts.approving"),
      back: texts("payouts.notNow"),
    },
    cancel: {
      title: texts("payouts.cancelManyTitle", { count }),
      act: texts("payouts.cancelMany", { count }),
      results: (done: number) => texts("payouts.cancelledOf", { done, of: count }),
      done: texts("payouts.cancelledDone"),
      notDone: texts("payouts.notCancelled"),
      sending: texts("payouts.cancelling"),
      back: texts("payouts.keepPayouts"),
    },
  }) as const;

export default function BulkDialog({ act, payouts, onDone, onClose, onBack }: BulkDialogProps) {
  const texts = useTexts();
  const words = wordsIn(texts, payouts.length)[act];
  const [reason, setReason] = useState("");
  // The selection can span pages, so that the list knows the warnings about some of it only.
  const warnings = useWarnings(payouts);
  const decisions = useManyDecisions(act, payouts, onDone);
  const { results } = decisions;
  const title = results ? words.results(results.filter(({ decided }) => decided).length) : words.title;
  return (
    <Dialog title={title} onClose={results ? onClose : onBack}>
      {results ? null : (
        <p className="figures text-sm">
          {texts.rich(act === "approve" ? "payouts.approveManyEffect" : "payouts.cancelManyEffect", {
            strong: (sums) => <strong>{sums}</strong>,
            sums: sumsOf(texts, payouts).join(", "),
          })}
        </p>
      )}
      <ul
        // biome-ignore lint/a11y/noNoninteractiveTabindex: without a pointer, the focus is the only way to scroll it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- for the same reason
        tabIndex={0}
        aria-label={texts("payouts.payouts")}
        className="grid max-h-72 overflow-y-auto rounded-md border border-line px-3.5 text-sm"
      >
        {payouts.map((payout) => (
          <li key={payout.id} className="figures flex gap-2.5 border-t border-line py-2 first:border-t-0">
            <Outcome result={results?.find(({ id }) => id === payout.id)} words={words} />
            <span className="min-w-0 grow wrap-anywhere">
              {sumAndRecipient(texts, payout)}
              <span className="caption block">
                {texts("payouts.payoutFacts", {
                  accountLast4: payout.recipient.account_last4,
                  merchantReference: payout.merchant_reference,
                  actor: actorText(texts, payout.made_by),
                })}
              </span>
              <Refusal result={results?.find(({ id }) => id === payout.id)} />
            </span>
            {act === "approve" && !results ? (
              <WarningMarks warnings={warnings.find(({ id }) => id === payout.id)} />
            ) : null}
          </li>
        ))}
      </ul>
      {act === "cancel" && !results ? <ReasonField reason={reason} onChange={setReason} /> : null}
      {decisions.error ? (
        <Notice tone="bad" role="alert">
          {failureOf(texts, decisions.error).message}
        </Notice>
      ) : null}
      <div className="flex justify-end gap-2">
        <Button
          size="medium"
          data-first-focus={act === "approve" ? "" : undefined}
          onClick={results ? onClose : onBack}
        >
          {results ? texts("payouts.close") : words.back}
        </Button>
        {results ? null : (
          <Button
            size="medium"
            tone={act === "approve" ? "primary" : "danger"}
            disabled={isTooLong(reason)}
            aria-disabled={decisions.isSending || undefined}
            onClick={() => decisions.isSending || decisions.decide(reason.trim())}
          >
            {decisions.isSending ? words.sending : words.act}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

interface Result {
  readonly id: string;
  readonly decided: boolean;
  readonly message?: string;
}

function useManyDecisions(act: BulkDialogProps["act"], payouts: readonly Payout[], onDone: () => void) {
  const { environment } = useShell();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const onSettled = () => {
    onDone();
    void queries.invalidateQueries({ queryKey: trpc.payoutIntents.waiting.queryKey() });
    void queries.invalidateQueries({ queryKey: trpc.wallets.list.queryKey() });
  };
  const approve = useMutation(trpc.payoutIntents.approveMany.mutationOptions({ onSettled }));
  const cancel = useMutation(trpc.payoutIntents.cancelMany.mutationOptions({ onSettled }));
  const results: readonly Result[] | undefined =
    approve.data?.map(({ approved, ...rest }) => ({ ...rest, decided: approved })) ??
    cancel.data?.map(({ cancelled, ...rest }) => ({ ...rest, decided: cancelled }));
  return {
    results,
    error: approve.error ?? cancel.error,
    isSending: approve.isPending || cancel.isPending,
    decide(reason: string) {
      if (act === "approve") {
        approve.mutate({ environment, payouts: payouts.map(({ id, digest }) => ({ id, digest })) });
      } else {
        cancel.mutate({ environment, ids: payouts.map(({ id }) => id), ...(reason === "" ? {} : { reason }) });
      }
    },
  };
}

interface OutcomeProps {
  readonly result: Result | undefined;
  readonly words: { readonly done: string; readonly notDone: string };
}

function Outcome({ result, words }: OutcomeProps) {
  if (!result) return null;
  const Icon = result.decided ? CircleCheck : CircleX;
  return (
    <>
      <Icon className={`mt-0.5 size-4.5 shrink-0 ${result.decided ? "text-good" : "text-bad"}`} aria-hidden="true" />
      <span className="sr-only">{result.decided ? `${words.done}:` : words.notDone}</span>
    </>
  );
}

function Refusal({ result }: { readonly result: Result | undefined }) {
  if (!result || result.decided) return null;
  return <span className="block text-xs text-bad">{result.message}</span>;
}
