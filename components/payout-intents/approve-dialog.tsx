// Confirms an approval: amount, recipient, and the effect on the wallet.
"use client";
import { useTexts } from "../i18n/use-texts";
import { actorText } from "../intents/actor-text";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Notice } from "../ui/notice";
import { MovedOn, movedOnTitleIn } from "./moved-on";
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
  const texts = useTexts();
  const decisions = useDecisions(payout, { onDecided });
  const isWaiting = payout.status === "requires_approval";
  const obstacle = obstacleText(texts, payout);
  return (
    <Dialog
      title={isWaiting ? texts("payouts.approveTitle", { sum: sumOf(texts, payout) }) : movedOnTitleIn(texts)}
      onClose={onClose}
    >
      {isWaiting ? (
        <>
          <p className="text-sm">
            {texts.rich("payouts.approveEffect", {
              strong: (words) => <strong>{words}</strong>,
              sum: sumOf(texts, payout),
              strong2: (words) => <strong>{words}</strong>,
              holderName: payout.recipient.holder_name,
              strong3: (words) => <strong className="figures">{words}</strong>,
              accountLast4: payout.recipient.account_last4,
              bankCode: payout.recipient.bank_code,
            })}
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
          {isWaiting ? texts("payouts.notNow") : texts("payouts.close")}
        </Button>
        {isWaiting && !obstacle ? (
          <Button
            size="medium"
            tone="primary"
            aria-disabled={decisions.isSending || undefined}
            onClick={() => decisions.approve()}
          >
            {decisions.isSending
              ? texts("payouts.approving")
              : texts("payouts.approveOne", { sum: sumOf(texts, payout) })}
          </Button>
        ) : null}
      </div>
    </Dialog>
  );
}

function Effect({ payout }: { readonly payout: Payout }) {
  const texts = useTexts();
  const rows = [
    [texts("payouts.recipient"), payout.recipient.holder_name],
    [texts("payouts.createdBy"), actorText(texts, payout.made_by)],
    [texts("payouts.yourReference"), payout.merchant_reference],
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
  const texts = useTexts();
  if (payout.approvals_required < 2) return null;
  return (
    <p className="text-sm text-ink-soft">
      {texts("payouts.approvalsGivenHint", {
        approvals: payout.approvals.length,
        approvalsRequired: payout.approvals_required,
      })}
    </p>
  );
}
