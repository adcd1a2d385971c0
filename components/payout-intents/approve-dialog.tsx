// Confirms an approval: amount, recipient, and the effect on the wallet.
"use client";
import { actorText } from "../intents/actor-text";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Notice } from "../ui/notice";
import { MOVED_ON_TITLE, MovedOn } from "./moved-on";
import { obstacleText, type Payout, sumOf } from "./payout";
import { useDecisions } from "./use-decisions";
import { useWalletEffect } from "./wallet-effect";

export interface DecisionDialogProps {
  /** The latest known state, which can change while the dialog is open. */
  readonly payout: Payout;
  readonly onClose: () => void;
  readonly onDecided: (payout: Payout) => void;
}

export default function ApproveDialog({ payout, onClose, onDecided }: DecisionDialogProps) {
  const decisions = useDecisions(payout, { onDecided });
  const isWaiting = payout.status === "requires_approval";
  const obstacle = obstacleText(payout);
  return (
    <Dialog title={isWaiting ? `Approve ${sumOf(payout)}?` : MOVED_ON_TITLE} onClose={onClose}>
      {isWaiting ? (
        <>
          <p className="text-sm">
            <strong>{sumOf(payout)}</strong> will be sent to <strong>{payout.recipient.holder_name}</strong>, account
            ending <strong className="figures">{payout.recipient.account_last4}</strong> at bank{" "}
            {payout.recipient.bank_code}. Once sent, it cannot be called back from here.
          </p>
          <Effect payout={payout} />
          <Approvals payout={payout} />
        </>
      ) : (
        <MovedOn payout={payout} />
      )}
      {isWaiting && obstacle ? <Notice tone="plain">{obstacle}</Notice> : null}
      {isWaiting && decisions.failure ? (
        <Notice tone="bad" role="alert">
          {decisions.failure.message}
        </Notice>
      ) : null}
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="medium" data-first-focus="" onClick={onClose}>
          {isWaiting ? "Not now" : "Close"}
        </Button>
        {isWaiting && !obstacle ? (
          <Button
            size="medium"
            tone="primary"
            aria-disabled={decisions.isSending || undefined}
            onClick={() => decisions.approve()}
          >
            {decisions.isSending ? "Approving…" : `Approve ${sumOf(payout)}`}
          </Button>
        ) : null}
      </div>
    </Dialog>
  );
}

function Effect({ payout }: { readonly payout: Payout }) {
  const rows = [
    ["Recipient", payout.recipient.holder_name],
    ["Created by", actorText(payout.made_by)],
    ["Your reference", payout.merchant_reference],
    ...useWalletEffect(payout),
  ];
  return (
    <dl className="figures grid rounded-md border border-line px-3.5 text-sm">
      {rows.map(([label, value]) => (
        <div key={label} className="flex flex-wrap justify-between gap-x-4 border-t border-line py-2 first:border-t-0">
          <dt className="text-ink-soft">{label}</dt>
          <dd className="font-medium wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Approvals({ payout }: { readonly payout: Payout }) {
  if (payout.approvals_required < 2) return null;
  return (
    <p className="text-sm text-ink-soft">
      {payout.approvals.length} of {payout.approvals_required} approvals given. It is sent with the last one.
    </p>
  );
}
