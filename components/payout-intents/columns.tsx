import { actorText } from "../intents/actor-text";
import { AmountLink } from "../lists/amount-link";
import type { ListColumn } from "../lists/list-column";
import { ReferenceText } from "../lists/reference-text";
import { Age } from "../time/age";
import { StatusBadge } from "../ui/status-badge";
import { DecisionButtons } from "./decision-buttons";
import { type Payout, sumAndRecipient } from "./payout";

/** `base` is the address below which each payout has its page. */
export function payoutColumns(base: string, onDecided: (payout: Payout) => void): readonly ListColumn<Payout>[] {
  return [
    {
      name: "amount",
      label: "Amount",
      isNumeric: true,
      isFixed: true,
      className: "max-md:order-1 max-md:text-left",
      cell: ({ id, amount, currency }) => <AmountLink href={`${base}/${id}`} amount={amount} currency={currency} />,
    },
    { name: "status", label: "Status", className: "max-md:order-2", cell: (payout) => <Status payout={payout} /> },
    {
      name: "recipient",
      label: "Recipient",
      isWide: true,
      isFixed: true,
      className: "max-md:order-3",
      cell: (payout) => <Recipient payout={payout} />,
    },
    {
      name: "merchant_reference",
      label: "Reference",
      isDetail: true,
      cell: (payout) => <ReferenceText text={payout.merchant_reference} />,
    },
    { name: "country", label: "Country", isDetail: true, cell: ({ country }) => country },
    {
      name: "created_at",
      label: "Created",
      isWide: true,
      className: "max-md:order-4 max-md:flex max-md:gap-2",
      cell: (payout) => <Creation payout={payout} />,
    },
    {
      name: "decide",
      label: "Decide",
      isLabelHidden: true,
      isFixed: true,
      isWide: true,
      className: "max-md:order-5 max-md:empty:hidden",
      cell: (payout) => <Decision payout={payout} onDecided={onDecided} />,
    },
  ];
}

/** The column that selects payouts for deciding on several at once; `isSelectable` if this member could approve one. */
export function selectionColumn(selection: {
  readonly isSelectable: (payout: Payout) => boolean;
  readonly isSelected: (payout: Payout) => boolean;
  readonly onToggle: (payout: Payout) => void;
}): ListColumn<Payout> {
  return {
    name: "select",
    label: "Select",
    isLabelHidden: true,
    isFixed: true,
    className: "w-px pr-0 max-md:hidden",
    cell: (payout) =>
      selection.isSelectable(payout) ? (
        <input
          type="checkbox"
          aria-label={`Select ${sumAndRecipient(payout)}`}
          checked={selection.isSelected(payout)}
          onChange={() => selection.onToggle(payout)}
          className="size-5 accent-accent"
        />
      ) : null,
  };
}

interface PayoutCell {
  readonly payout: Payout;
}

function Status({ payout: { status, approvals, approvals_required: required } }: PayoutCell) {
  return (
    <>
      <StatusBadge status={status} />
      {status === "requires_approval" && required > 1 ? (
        <span className="caption figures mt-0.5 block">
          {approvals.length} of {required} approvals
        </span>
      ) : null}
    </>
  );
}

function Recipient({ payout: { recipient } }: PayoutCell) {
  return (
    <>
      <span className="block font-medium wrap-anywhere">{recipient.holder_name}</span>
      <span className="caption figures block">
        •••• {recipient.account_last4} · bank {recipient.bank_code}
      </span>
    </>
  );
}

function Creation({ payout }: PayoutCell) {
  return (
    <>
      <span className="caption block md:text-sm md:text-ink">
        <Age iso={payout.created_at} />
      </span>
      <span className="caption block max-w-48 truncate">by {actorText(payout.made_by)}</span>
    </>
  );
}

const OBSTACLE_LABELS: Readonly<Record<NonNullable<Payout["obstacle"]>, string>> = {
  made_by_you: "You made it",
  approved_by_you: "You approved it",
  authority_too_new: "Older than your role",
};

function Decision({ payout, onDecided }: PayoutCell & { readonly onDecided: (payout: Payout) => void }) {
  return (
    <>
      <DecisionButtons payout={payout} onDecided={onDecided} />
      {payout.obstacle === null ? null : <span className="caption mt-1 block">{OBSTACLE_LABELS[payout.obstacle]}</span>}
    </>
  );
}
