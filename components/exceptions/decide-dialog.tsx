"use client";
import { useState } from "react";
import type { Settlement } from "@/server/domain/suspense";
import type { PresentedException } from "@/server/trpc/exceptions";
import { formatAmount } from "../money/format-amount";
import { codePointsOf, LONGEST_REASON } from "../payout-intents/reason";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Notice } from "../ui/notice";
import { nameOf } from "./exception-text";
import { KIND_WORDS, SETTLEMENT_WORDS } from "./exception-words";
import { MoneyChoice } from "./money-choice";
import { useExceptionDecisions } from "./use-exception-decisions";

interface DecideDialogProps {
  readonly exception: PresentedException;
  readonly onClose: () => void;
}

/** A refund through the provider, which another person confirms. */
const PROPOSED = "proposed_refund";
type Choice = Settlement | typeof PROPOSED;

function wordsOf(choice: Choice, { refund_through: provider }: PresentedException) {
  if (choice !== PROPOSED) {
    const { verb, label, effect } = SETTLEMENT_WORDS[choice];
    return { verb, label, effect };
  }
  const effect = `Sluice has ${provider} send it back, once another person has confirmed it.`;
  return { verb: "Propose a refund of", label: "Refund it through the provider", effect };
}

/** The sum in suspense without its sign: the choices state whether the money is there or missing. */
function moneyText({ money }: PresentedException): string {
  return money ? `${formatAmount(money.amount.replace("-", ""), money.currency)} ${money.currency}` : "";
}

export default function DecideDialog({ exception, onClose }: DecideDialogProps) {
  const { kind, settlements, operator_settlements: operatorSettlements } = exception;
  const [as, setAs] = useState<Choice | null>(null);
  const [reason, setReason] = useState("");
  const decisions = useExceptionDecisions(exception, onClose);
  /** After a conflict, the reader sees the other member's decision once they have read the message. */
  const close = () => {
    if (decisions.failure) decisions.refresh();
    onClose();
  };
  const hasMoney = settlements.length > 0;
  const length = codePointsOf(reason.trim());
  const isReady = length > 0 && length <= LONGEST_REASON && (!hasMoney || as !== null);
  const verb =
    as === null ? (hasMoney ? "Settle" : "Resolve") : `${wordsOf(as, exception).verb} ${moneyText(exception)}`;
  const choices: readonly Choice[] = exception.refund_through === null ? settlements : [PROPOSED, ...settlements];
  const decide = () => (as === PROPOSED ? decisions.proposeRefund(reason.trim()) : decisions.decide(as, reason.trim()));
  return (
    <Dialog title={`${hasMoney ? "Settle" : "Resolve"}: ${KIND_WORDS[kind].label}`} onClose={close}>
      <p className="text-sm">
        {hasMoney ? (
          <>
            <strong>{moneyText(exception)}</strong>{" "}
            {exception.money?.amount.startsWith("-") ? "missing" : "in suspense"} for{" "}
            <span className="wrap-anywhere">{nameOf(exception)}</span>.
          </>
        ) : (
          "This only records your notes: it moves no money."
        )}{" "}
        {as === PROPOSED ? "Nothing is sent before another person confirms it." : "It cannot be taken back."}
      </p>
      {hasMoney ? (
        <fieldset className="grid gap-2">
          <legend className="mb-2 text-sm font-medium">What should happen to the money?</legend>
          {choices.map((choice, index) => (
            <MoneyChoice
              key={choice}
              value={choice}
              label={wordsOf(choice, exception).label}
              effect={wordsOf(choice, exception).effect}
              isChosen={as === choice}
              isFirst={index === 0}
              onChoose={() => setAs(choice)}
            />
          ))}
          {operatorSettlements.length > 0 ? (
            <p className="text-xs text-ink-soft">
              The operator of this service alone decides otherwise, and bears the cost:{" "}
              {operatorSettlements.map((one) => SETTLEMENT_WORDS[one].label.toLowerCase()).join("; ")}.
            </p>
          ) : null}
        </fieldset>
      ) : null}
      <div className="grid gap-1.5">
        <label htmlFor="resolution" className="text-sm font-medium">
          Notes (required)
        </label>
        <textarea
          id="resolution"
          rows={3}
          required
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          aria-invalid={length > LONGEST_REASON || undefined}
          aria-describedby="resolution-note"
          className="w-full rounded-md border border-line-strong bg-surface px-3 py-2 text-sm hover:border-ink"
          {...(!hasMoney && { "data-first-focus": "" })}
        />
        <p id="resolution-note" className={length > LONGEST_REASON ? "text-xs text-bad" : "caption"}>
          Kept with the exception and in the audit log. {length} of {LONGEST_REASON} characters.
        </p>
      </div>
      {decisions.failure ? (
        <Notice tone="bad" role="alert">
          {decisions.failure.message}
        </Notice>
      ) : null}
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="medium" onClick={close}>
          Cancel
        </Button>
        <Button
          size="medium"
          tone="primary"
          disabled={!isReady}
          aria-disabled={decisions.isSending || undefined}
          onClick={() => decisions.isSending || decide()}
        >
          {decisions.isSending ? "Sending…" : verb}
        </Button>
      </div>
    </Dialog>
  );
}
