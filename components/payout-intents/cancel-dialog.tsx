"use client";
import { useState } from "react";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Notice } from "../ui/notice";
import type { DecisionDialogProps } from "./approve-dialog";
import { MovedOn } from "./moved-on";
import { sumOf } from "./payout";
import { codePointsOf, LONGEST_REASON } from "./reason";
import { useDecisions } from "./use-decisions";

export default function CancelDialog({ payout, onClose, onDecided }: DecisionDialogProps) {
  const [reason, setReason] = useState("");
  const decisions = useDecisions(payout, { onDecided });
  const isWaiting = payout.status === "requires_approval";
  const length = codePointsOf(reason);
  const isTooLong = length > LONGEST_REASON;
  return (
    <Dialog title={`Cancel the payout of ${sumOf(payout)}?`} onClose={onClose}>
      <p className="text-sm">
        <strong>{payout.recipient.holder_name}</strong> will not be paid, and <strong>{sumOf(payout)}</strong> becomes
        available in your wallet again. A cancelled payout stays cancelled.
      </p>
      <div className="grid gap-1.5">
        <label htmlFor="cancel-reason" className="text-sm font-medium">
          Reason <span className="font-normal text-ink-soft">(optional)</span>
        </label>
        <textarea
          id="cancel-reason"
          data-first-focus=""
          rows={3}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          aria-invalid={isTooLong || undefined}
          aria-describedby="cancel-reason-note"
          className="w-full rounded-md border border-line-strong bg-surface px-3 py-2 text-sm hover:border-ink"
        />
        <p id="cancel-reason-note" className={isTooLong ? "text-xs text-bad" : "caption"}>
          Shown on the payout and in the audit log, and sent in the event. {length} of {LONGEST_REASON} characters.
        </p>
      </div>
      {isWaiting ? null : <MovedOn payout={payout} />}
      {isWaiting && decisions.failure ? (
        <Notice tone="bad" role="alert">
          {decisions.failure.message}
        </Notice>
      ) : null}
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="medium" onClick={onClose}>
          {isWaiting ? "Keep it" : "Close"}
        </Button>
        {isWaiting ? (
          <Button
            size="medium"
            tone="danger"
            disabled={isTooLong}
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
