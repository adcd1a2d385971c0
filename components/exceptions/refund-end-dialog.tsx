// States how a refund ended whose provider gives no clear answer, with evidence.
"use client";
import { useId, useState } from "react";
import type { PresentedRefund } from "@/server/trpc/present/refund";
import { sumText } from "../money/sum-text";
import { codePointsOf } from "../payout-intents/reason";
import { failureOf } from "../trpc/failure";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Notice } from "../ui/notice";
import { MoneyChoice } from "./money-choice";
import { useRefundDecisions } from "./use-refund-decisions";

const LONGEST_EVIDENCE = 2_000;

const OUTCOMES = {
  settled: { label: "It was refunded", effect: "The money leaves suspense, and the exception is resolved." },
  failed: { label: "It was not refunded", effect: "The money stays in suspense. You decide on it again." },
} as const;
type Outcome = keyof typeof OUTCOMES;

interface EndDialogProps {
  readonly refund: PresentedRefund;
  readonly onClose: () => void;
}

export default function RefundEndDialog({ refund, onClose }: EndDialogProps) {
  const id = useId();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [reference, setReference] = useState("");
  const [evidence, setEvidence] = useState("");
  const { proposeEnd, refresh, isSending, error } = useRefundDecisions(onClose);
  const length = codePointsOf(evidence.trim());
  const isReady = outcome !== null && length > 0 && length <= LONGEST_EVIDENCE;
  const close = () => {
    if (error) refresh();
    onClose();
  };
  const send = () => {
    if (isSending || outcome === null) return;
    proposeEnd(refund.id, { outcome, evidence: evidence.trim(), provider_reference: reference.trim() || null });
  };
  return (
    <Dialog title={`How did the refund of ${sumText(refund.amount, refund.currency)} end?`} onClose={close}>
      <p className="text-sm">
        Ask {refund.provider} first. An operator of this service, who is another person, confirms your statement. Then
        it counts, and cannot be taken back.
      </p>
      <fieldset className="grid gap-2">
        <legend className="sr-only">How it ended</legend>
        {(Object.keys(OUTCOMES) as Outcome[]).map((choice, index) => (
          <MoneyChoice
            key={choice}
            value={choice}
            {...OUTCOMES[choice]}
            isChosen={outcome === choice}
            isFirst={index === 0}
            onChoose={() => setOutcome(choice)}
          />
        ))}
      </fieldset>
      <div className="grid gap-1.5">
        <label htmlFor={`${id}-reference`} className="text-sm font-medium">
          Provider's reference <span className="font-normal text-ink-soft">(optional)</span>
        </label>
        <input
          id={`${id}-reference`}
          value={reference}
          maxLength={255}
          onChange={(event) => setReference(event.target.value)}
          className="min-h-10 w-full rounded-md border border-line-strong bg-surface px-3 text-sm hover:border-ink"
        />
      </div>
      <div className="grid gap-1.5">
        <label htmlFor={`${id}-evidence`} className="text-sm font-medium">
          Evidence (required)
        </label>
        <textarea
          id={`${id}-evidence`}
          rows={3}
          required
          value={evidence}
          onChange={(event) => setEvidence(event.target.value)}
          aria-invalid={length > LONGEST_EVIDENCE || undefined}
          aria-describedby={`${id}-note`}
          className="w-full rounded-md border border-line-strong bg-surface px-3 py-2 text-sm hover:border-ink"
        />
        <p id={`${id}-note`} className={length > LONGEST_EVIDENCE ? "text-xs text-bad" : "caption"}>
          Such as the provider's letter. Kept in the audit log. {length} of {LONGEST_EVIDENCE.toLocaleString("en")}{" "}
          characters.
        </p>
      </div>
      {error ? (
        <Notice tone="bad" role="alert">
          {failureOf(error).message}
        </Notice>
      ) : null}
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="medium" onClick={close}>
          Cancel
        </Button>
        <Button size="medium" tone="primary" disabled={!isReady} aria-disabled={isSending || undefined} onClick={send}>
          {isSending ? "Sending…" : "Propose"}
        </Button>
      </div>
    </Dialog>
  );
}
