"use client";
import { useState } from "react";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Notice } from "../ui/notice";
import type { DecisionDialogProps } from "./approve-dialog";
import { MOVED_ON_TITLE, MovedOn } from "./moved-on";
import { sumOf } from "./payout";
import { isTooLong, ReasonField } from "./reason-field";
import { useDecisions } from "./use-decisions";

export default function CancelDialog({ payout, onClose, onDecided }: DecisionDialogProps) {
  const [reason, setReason] = useState("");
  const decisions = useDecisions(payout, { onDecided });
  const isWaiting = payout.status === "requires_approval";
  return (
    <Dialog title={isWaiting ? `Cancel the payout of ${sumOf(payout)}?` : MOVED_ON_TITLE} onClose={onClose}>
      {isWaiting ? (
        <p className="text-sm">
          <strong>{payout.recipient.holder_name}</strong> will not be paid, and <strong>{sumOf(payout)}</strong> becomes
          available in your wallet again. A cancelled payout stays cancelled.
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
          {isWaiting ? "Keep payout" : "Close"}
        </Button>
        {isWaiting ? (
          <Button
            size="medium"
            tone="danger"
            disabled={isTooLong(reason)}
            aria-disabled={decisions.isSending || undefined}
            onClick={() => decisions.cancel(reason.trim())}
          >
            {decisions.isSending ? "Cancelling…" : "Cancel payout"}
          </Button>
        ) : null}
      </div>
    </Dialog>
  );
}
