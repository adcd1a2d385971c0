// Asks whether a refund is confirmed, rejected or withdrawn.
"use client";
import type { PresentedRefund } from "@/server/trpc/present/refund";
import { useTexts } from "../i18n/use-texts";
import { actorText } from "../intents/actor-text";
import { sumText } from "../money/sum-text";
import { Question } from "../trpc/question";
import { useRefundDecisions } from "./use-refund-decisions";

interface RefundQuestionProps {
  readonly refund: PresentedRefund;
  readonly act: "confirm" | "reject";
  /** The member who asks proposed it. */
  readonly isOwn: boolean;
  readonly onClose: () => void;
}

export default function RefundQuestion({ refund, act, isOwn, onClose }: RefundQuestionProps) {
  const texts = useTexts();
  const { confirm, reject, refresh, isSending, error } = useRefundDecisions(onClose);
  const sum = sumText(texts, refund.amount, refund.currency);
  /** After a conflict, the reader sees the other member's decision once they have read the message. */
  const close = () => {
    if (error) refresh();
    onClose();
  };
  if (act === "reject") {
    const verb = isOwn ? texts("exceptions.withdraw") : texts("exceptions.reject");
    return (
      <Question
        title={texts("exceptions.endRefundTitle", { verb, sum })}
        act={texts("exceptions.verbRefund", { verb })}
        isSending={isSending}
        error={error}
        onAct={() => reject(refund.id)}
        onClose={close}
      >
        <p className="text-sm">{texts("exceptions.endRefundEffect")}</p>
      </Question>
    );
  }
  return (
    <Question
      title={texts("exceptions.confirmRefundTitle", { sum })}
      act={texts("exceptions.refundSum", { sum })}
      isSending={isSending}
      error={error}
      onAct={() => confirm(refund.id)}
      onClose={close}
    >
      <p className="text-sm">
        {texts.rich("exceptions.confirmRefundEffect", {
          strong: (words) => <strong>{words}</strong>,
          sum,
          provider: refund.provider,
        })}
      </p>
      <p className="text-sm wrap-anywhere text-ink-soft">
        {actorText(texts, refund.proposed_by)}: “{refund.reason}”
      </p>
    </Question>
  );
}
