"use client";
import { useState } from "react";
import type { Settlement } from "@/server/domain/suspense";
import type { PresentedException } from "@/server/trpc/exceptions";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { formatAmount } from "../money/format-amount";
import { codePointsOf, LONGEST_REASON } from "../payout-intents/reason";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Notice } from "../ui/notice";
import { nameOf } from "./exception-text";
import { kindWordsIn, settlementWordsIn } from "./exception-words";
import { MoneyChoice } from "./money-choice";
import { useExceptionDecisions } from "./use-exception-decisions";

interface DecideDialogProps {
  readonly exception: PresentedException;
  readonly onClose: () => void;
}

/** A refund through the provider, which another person confirms. */
const PROPOSED = "proposed_refund";
type Choice = Settlement | typeof PROPOSED;

function wordsOf(texts: Texts, choice: Choice, { refund_through: provider }: PresentedException) {
  if (choice !== PROPOSED) {
    const { verb, label, effect } = settlementWordsIn(texts)[choice];
    return { verb, label, effect };
  }
  const effect = texts("exceptions.refundEffect", { provider: provider ?? "" });
  return { verb: texts("exceptions.proposeARefundOf"), label: texts("exceptions.refund"), effect };
}

/** The sum in suspense without its sign: the choices state whether the money is there or missing. */
function moneyText(texts: Texts, { money }: PresentedException): string {
  return money ? `${formatAmount(texts, money.amount.replace("-", ""), money.currency)} ${money.currency}` : "";
}

export default function DecideDialog({ exception, onClose }: DecideDialogProps) {
  const texts = useTexts();
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
    as === null
      ? hasMoney
        ? texts("exceptions.settle")
        : texts("exceptions.resolve")
      : `${wordsOf(texts, as, exception).verb} ${moneyText(texts, exception)}`;
  const choices: readonly Choice[] = exception.refund_through === null ? settlements : [PROPOSED, ...settlements];
  const decide = () => (as === PROPOSED ? decisions.proposeRefund(reason.trim()) : decisions.decide(as, reason.trim()));
  return (
    <Dialog
      title={`${hasMoney ? texts("exceptions.settle") : texts("exceptions.resolve")}: ${kindWordsIn(texts)[kind].label}`}
      onClose={close}
    >
      <p className="text-sm">
        {hasMoney ? (
          <>
            <strong>{moneyText(texts, exception)}</strong>{" "}
            {texts.rich("exceptions.choiceOf", {
              money: exception.money?.amount.startsWith("-")
                ? texts("exceptions.missing")
                : texts("exceptions.inSuspenseWord"),
              span: (words) => <span className="wrap-anywhere">{words}</span>,
              name: nameOf(exception),
            })}
          </>
        ) : (
          texts("exceptions.onlyRecords")
        )}{" "}
        {as === PROPOSED ? texts("exceptions.refundNeedsConfirmation") : texts("exceptions.cannotTakeBack")}
      </p>
      {hasMoney ? (
        <fieldset className="grid gap-2">
          <legend className="mb-2 text-sm font-medium">{texts("exceptions.settlementQuestion")}</legend>
          {choices.map((choice, index) => (
            <MoneyChoice
              key={choice}
              value={choice}
              label={wordsOf(texts, choice, exception).label}
              effect={wordsOf(texts, choice, exception).effect}
              isChosen={as === choice}
              isFirst={index === 0}
              onChoose={() => setAs(choice)}
            />
          ))}
          {operatorSettlements.length > 0 ? (
            <p className="text-xs text-ink-soft">
              {texts("exceptions.operatorSettles", {
                operatorSettlements: operatorSettlements
                  .map((one) => settlementWordsIn(texts)[one].label.toLowerCase())
                  .join("; "),
              })}
            </p>
          ) : null}
        </fieldset>
      ) : null}
      <div className="grid gap-1.5">
        <label htmlFor="resolution" className="text-sm font-medium">
          {texts("exceptions.notesRequired")}
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
          {texts("exceptions.notesHint", { length, longestReason: LONGEST_REASON })}
        </p>
      </div>
      {decisions.failure ? (
        <Notice tone="bad" role="alert">
          {decisions.failure.message}
        </Notice>
      ) : null}
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="medium" onClick={close}>
          {texts("exceptions.cancel")}
        </Button>
        <Button
          size="medium"
          tone="primary"
          disabled={!isReady}
          aria-disabled={decisions.isSending || undefined}
          onClick={() => decisions.isSending || decide()}
        >
          {decisions.isSending ? texts("exceptions.sending") : verb}
        </Button>
      </div>
    </Dialog>
  );
}
