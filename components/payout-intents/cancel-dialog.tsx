"use client";
import { useState } from "react";
import { useTexts } from "../i18n/use-texts";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Notice } from "../ui/notice";
import type { DecisionDialogProps } from "./approve-dialog";
import { MovedOn, movedOnTitleIn } from "./moved-on";
import { sumOf } from "./payout";
import { isTooLong, ReasonField } from "./reason-field";
import { useDecisions } from "./use-decisions";

export default function CancelDialog({ payout, onClose, onDecided }: DecisionDialogProps) {
  const texts = useTexts();
  const [reason, setReason] = useState("");
  const decisions = useDecisions(payout, { onDecided });
  const isWaiting = payout.status === "requires_approval";
  return (
    <Dialog
      title={isWaiting ? texts("payouts.cancelTitle", { sum: sumOf(texts, payout) }) : movedOnTitleIn(texts)}
      onClose={onClose}
    >
      {isWaiting ? (
        <p className="text-sm">
          {texts.rich("payouts.cancelEffect", {
            strong: (words) => <strong>{words}</strong>,
            holderName: payout.recipient.holder_name,
            strong2: (words) => <strong>{words}</strong>,
            sum: sumOf(texts, payout),
          })}
        </p>
      ) : null}
      <ReasonField reason={reason} onChange={setReason} />
      {isWaiting ? null : <MovedOn payout={payout} />}
      {isWaiting && decisions.failure ? (
        <Notice tone="bad" role="alert">
          {decisions.failure.message}
        </Notice>
      ) : null}
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="medium" onClick={onClose}>
          {isWaiting ? texts("payouts.keepPayout") : texts("payouts.close")}
        </Button>
        {isWaiting ? (
          <Button
            size="medium"
            tone="danger"
            disabled={isTooLong(reason)}
            aria-disabled={decisions.isSending || undefined}
            onClick={() => decisions.cancel(reason.trim())}
          >
            {decisions.isSending ? texts("payouts.cancelling") : texts("payouts.cancelPayout")}
          </Button>
        ) : null}
      </div>
    </Dialog>
  );
}
