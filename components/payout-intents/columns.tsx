// The columns of the payouts: those of the list of all, and those of the queue, which help to decide.
import { ActorLines } from "../intents/actor-lines";
import { AmountLink } from "../lists/amount-link";
import type { ListColumn } from "../lists/list-column";
import { ReferenceText } from "../lists/reference-text";
import { Age } from "../time/age";
import { TimeLeft } from "../time/time-left";
import { StatusBadge } from "../ui/status-badge";
import { DecisionButtons } from "./decision-buttons";
import type { Payout } from "./payout";
import { type PayoutWarnings, WarningMarks } from "./warning-marks";

export interface ColumnContext {
  /** The address below which each payout has its page. */
  readonly base: string;
  readonly onDecided: (payout: Payout) => void;
  readonly warningsOf: (payout: Payout) => PayoutWarnings | undefined;
  /** The balance once this payout alone is paid; null if it is not known. */
  readonly balanceAfter: (payout: Payout) => string | null;
}

type Column = ListColumn<Payout>;

/** The columns of the list of all payouts. */
export function allColumns(context: ColumnContext): readonly Column[] {
  return [
    amountColumn(context),
    { name: "status", label: "Status", className: "max-md:order-2", cell: (payout) => <Status payout={payout} /> },
    RECIPIENT,
    referenceColumn(context),
    { name: "country", label: "Country", isDetail: true, from: "wide", cell: ({ country }) => country },
    CREATED,
    decideColumn((payout) => <DecisionButtons payout={payout} onDecided={context.onDecided} />),
  ];
}

/** The columns of the queue. A decided payout shows its status in place of the buttons. */
export function queueColumns(context: ColumnContext): readonly Column[] {
  return [
    amountColumn(context),
    RECIPIENT,
    referenceColumn(context),
    CREATED,
    {
      name: "approvals",
      label: "Approvals",
      isWide: true,
      className: "max-md:order-5 max-md:flex max-md:gap-2 whitespace-nowrap",
      cell: (payout) => <Approvals payout={payout} />,
    },
    {
      name: "balance_after",
      label: "Balance after",
      isNumeric: true,
      isDetail: true,
      from: "wide",
      className: "figures",
      cell: (payout) => <BalanceAfter payout={payout} sum={context.balanceAfter(payout)} />,
    },
    decideColumn((payout) => (
      <>
        {payout.status === "requires_approval" ? null : <StatusBadge status={payout.status} />}
        <DecisionButtons payout={payout} onDecided={context.onDecided} />
      </>
    )),
  ];
}

const amountColumn = ({ base, warningsOf }: ColumnContext): Column => ({
  name: "amount",
  label: "Amount",
  isNumeric: true,
  isFixed: true,
  // Wide enough for both warnings, which arrive later than the row.
  className: "max-md:order-1 max-md:text-left md:min-w-44",
  cell: (payout) => (
    <>
      <AmountLink href={`${base}/${payout.id}`} amount={payout.amount} currency={payout.currency} />
      <WarningMarks warnings={warningsOf(payout)} />
    </>
  ),
});

const RECIPIENT: Column = {
  name: "recipient",
  label: "Recipient",
  isWide: true,
  isFixed: true,
  // Takes the width that the other columns leave, and never widens the table.
  className: "max-md:order-3 md:w-full md:max-w-0",
  cell: (payout) => <Recipient payout={payout} />,
};

const referenceColumn = ({ base }: ColumnContext): Column => ({
  name: "merchant_reference",
  label: "Reference",
  isDetail: true,
  from: "lg",
  cell: ({ merchant_reference: reference, batch_id: batch }) => (
    <>
      <ReferenceText text={reference} />
      {batch === null ? null : (
        <a href={`${base}/batches/${batch}`} className="caption rounded-sm underline underline-offset-3">
          Batch
        </a>
      )}
    </>
  ),
});

const CREATED: Column = {
  name: "created_at",
  label: "Created",
  isWide: true,
  from: "lg",
  className: "max-md:order-4 max-md:flex max-md:gap-2 whitespace-nowrap",
  cell: (payout) => <Creation payout={payout} />,
};

const decideColumn = (cell: Column["cell"]): Column => ({
  name: "decide",
  label: "Decide",
  isLabelHidden: true,
  isFixed: true,
  isWide: true,
  className: "max-md:order-6 max-md:has-[>div:only-child:empty]:hidden whitespace-nowrap md:text-right",
  cell,
});

interface PayoutCell {
  readonly payout: Payout;
}

function Status({ payout }: PayoutCell) {
  const { status, approvals, approvals_required: required, obstacle } = payout;
  const isCounted = status === "requires_approval" && required > 1;
  return (
    <>
      <StatusBadge status={status} />
      {isCounted || obstacle ? (
        <span className="caption figures block whitespace-nowrap">
          {[isCounted && `${approvals.length} of ${required} approvals`, obstacle && OBSTACLE_LABELS[obstacle]]
            .filter(Boolean)
            .join(", ")}
        </span>
      ) : null}
    </>
  );
}

function Recipient({ payout: { recipient } }: PayoutCell) {
  const account = `•••• ${recipient.account_last4} · bank ${recipient.bank_code}`;
  return (
    <>
      <span className="block font-medium max-md:wrap-anywhere md:truncate" title={recipient.holder_name}>
        {recipient.holder_name}
      </span>
      <span className="caption figures block md:truncate" title={account}>
        {account}
      </span>
    </>
  );
}

function Creation({ payout }: PayoutCell) {
  return (
    <>
      <span className="caption block md:text-sm md:leading-4 md:text-ink">
        <Age iso={payout.created_at} />
      </span>
      <ActorLines actor={payout.made_by} />
    </>
  );
}

const OBSTACLE_LABELS: Readonly<Record<NonNullable<Payout["obstacle"]>, string>> = {
  made_by_you: "You made it",
  approved_by_you: "You approved it",
  authority_too_new: "Older than your role",
};

function Approvals({ payout }: PayoutCell) {
  const { approvals, approvals_required: required, obstacle, lapses_at: expiresAt } = payout;
  return (
    <>
      <span className="figures block max-md:text-xs max-md:leading-5 max-md:text-ink-soft">
        {approvals.length} of {required}
        <span className="md:sr-only"> approvals</span>
      </span>
      <span className="caption block">
        {obstacle ? OBSTACLE_LABELS[obstacle] : null}
        {!obstacle && expiresAt ? (
          <>
            expires in <TimeLeft iso={expiresAt} />
          </>
        ) : null}
      </span>
    </>
  );
}

function BalanceAfter({ payout: { status, currency }, sum }: PayoutCell & { readonly sum: string | null }) {
  if (sum === null || status !== "requires_approval") return <span className="text-ink-soft">–</span>;
  return (
    <span title="Available and set aside, once this payout is paid">
      {sum} <span className="text-ink-soft">{currency}</span>
    </span>
  );
}
