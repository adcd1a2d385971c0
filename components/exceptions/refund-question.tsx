// Asks whether a refund is confirmed, rejected or withdrawn.
"use client";
import type { PresentedRefund } from "@/server/trpc/present/refund";
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
  const { confirm, reject, refresh, isSending, error } = useRefundDecisions(onClose);
  const sum = sumText(refund.amount, refund.currency);
  /** After a conflict, the reader sees the other member's decision once they have read the message. */
  const close = () => {
    if (error) refresh();
    onClose();
  };
  if (act === "reject") {
    const verb = isOwn ? "Withdraw" : "Reject";
    return (
      <Question
        title={`${verb} the refund of ${sum}?`}
        act={`${verb} refund`}
        isSending={isSending}
        error={error}
        onAct={() => reject(refund.id)}
        onClose={close}
      >
        <p className="text-sm">Nothing is sent. The money stays in suspense, and you decide on it again.</p>
      </Question>
    );
  }
  return (
    <Question
      title={`Confirm the refund of ${sum}?`}
      act={`Refund ${sum}`}
      isSending={isSending}
      error={error}
      onAct={() => confirm(refund.id)}
      onClose={close}
    >
      <p className="text-sm">
        <strong>{sum}</strong> goes back to its payer through {refund.provider}. It cannot be taken back.
      </p>
      <p className="text-sm wrap-anywhere text-ink-soft">
        {actorText(refund.proposed_by)}: “{refund.reason}”
      </p>
    </Question>
  );
}
