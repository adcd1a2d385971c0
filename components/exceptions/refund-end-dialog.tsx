// States how a refund ended whose provider gives no clear answer, with evidence.
"use client";
import { useId, useState } from "react";
import type { PresentedRefund } from "@/server/trpc/present/refund";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { sumText } from "../money/sum-text";
import { codePointsOf } from "../payout-intents/reason";
import { failureOf } from "../trpc/failure";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Notice } from "../ui/notice";
import { MoneyChoice } from "./money-choice";
import { useRefundDecisions } from "./use-refund-decisions";

const LONGEST_EVIDENCE = 2_000;

const outcomesIn = (texts: Texts) =>
  ({
    settled: { label: texts("exceptions.itWasRefunded"), effect: texts("exceptions.outcomePaidEffect") },
    failed: { label: texts("exceptions.itWasNotRefunded"), effect: texts("exceptions.outcomeFailedEffect") },
  }) as const;
type Outcome = "settled" | "failed";

interface EndDialogProps {
  readonly refund: PresentedRefund;
  readonly onClose: () => void;
}

export default function RefundEndDialog({ refund, onClose }: EndDialogProps) {
  const texts = useTexts();
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
    <Dialog
      title={texts("exceptions.outcomeTitle", { sum: sumText(texts, refund.amount, refund.currency) })}
      onClose={close}
    >
      <p className="text-sm">{texts("exceptions.outcomeAbout", { provider: refund.provider })}</p>
      <fieldset className="grid gap-2">
        <legend className="sr-only">{texts("exceptions.howItEnded")}</legend>
        {(Object.keys(outcomesIn(texts)) as Outcome[]).map((choice, index) => (
          <MoneyChoice
            key={choice}
            value={choice}
            {...outcomesIn(texts)[choice]}
            isChosen={outcome === choice}
            isFirst={index === 0}
            onChoose={() => setOutcome(choice)}
          />
        ))}
      </fieldset>
      <div className="grid gap-1.5">
        <label htmlFor={`${id}-reference`} className="text-sm font-medium">
          {texts.rich("exceptions.providersReferenceOptional", {
            span: (words) => <span className="font-normal text-ink-soft">{words}</span>,
          })}
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
          {texts("exceptions.evidenceRequired")}
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
          {texts("exceptions.evidenceHint", {
            length,
            longestEvidence: texts.number(LONGEST_EVIDENCE),
          })}
        </p>
      </div>
      {error ? (
        <Notice tone="bad" role="alert">
          {failureOf(texts, error).message}
        </Notice>
      ) : null}
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="medium" onClick={close}>
          {texts("exceptions.cancel")}
        </Button>
        <Button size="medium" tone="primary" disabled={!isReady} aria-disabled={isSending || undefined} onClick={send}>
          {isSending ? texts("exceptions.sending") : texts("exceptions.propose")}
        </Button>
      </div>
    </Dialog>
  );
}
