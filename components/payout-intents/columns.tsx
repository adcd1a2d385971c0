// The columns of the payouts: those of the list of all, and those of the queue, which help to decide.

import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
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
export function allColumns(texts: Texts, context: ColumnContext): readonly Column[] {
  return [
    amountColumn(texts, context),
    {
      name: "status",
      label: texts("payouts.status"),
      className: "max-md:order-2",
      cell: (payout) => <Status payout={payout} />,
    },
    recipientIn(texts),
    referenceColumn(texts, context),
    { name: "country", label: texts("payouts.country"), isDetail: true, from: "wide", cell: ({ country }) => country },
    createdIn(texts),
    decideColumn(texts, (payout) => <DecisionButtons payout={payout} onDecided={context.onDecided} />),
  ];
}

/** The columns of the queue. A decided payout shows its status in place of the buttons. */
export function queueColumns(texts: Texts, context: ColumnContext): readonly Column[] {
  return [
    amountColumn(texts, context),
    recipientIn(texts),
    referenceColumn(texts, context),
    createdIn(texts),
    {
      name: "approvals",
      label: texts("payouts.approvals"),
      isWide: true,
      className: "max-md:order-5 max-md:flex max-md:gap-2 whitespace-nowrap",
      cell: (payout) => <Approvals payout={payout} />,
    },
    {
      name: "balance_after",
      label: texts("payouts.balanceAfter"),
      isNumeric: true,
      isDetail: true,
      from: "wide",
      className: "figures",
      cell: (payout) => <BalanceAfter payout={payout} sum={context.balanceAfter(payout)} />,
    },
    decideColumn(texts, (payout) => (
      <>
        {payout.status === "requires_approval" ? null : <StatusBadge status={payout.status} />}
        <DecisionButtons payout={payout} onDecided={context.onDecided} />
      </>
    )),
  ];
}

const amountColumn = (texts: Texts, { base, warningsOf }: ColumnContext): Column => ({
  name: "amount",
  label: texts("payouts.amount"),
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

const recipientIn = (texts: Texts): Column => ({
  name: "recipient",
  label: texts("payouts.recipient"),
  isWide: true,
  isFixed: true,
  // Takes the width that the other columns leave, and never widens the table.
  className: "max-md:order-3 md:w-full md:max-w-0",
  cell: (payout) => <Recipient payout={payout} />,
});

const referenceColumn = (texts: Texts, { base }: ColumnContext): Column => ({
  name: "merchant_reference",
  label: texts("payouts.reference"),
  isDetail: true,
  from: "lg",
  cell: ({ merchant_reference: reference, batch_id: batch }) => (
    <>
      <ReferenceText text={reference} />
      {batch === null ? null : (
        <a href={`${base}/batches/${batch}`} className="caption rounded-sm underline underline-offset-3">
          {texts("payouts.batch")}
        </a>
      )}
    </>
  ),
});

const createdIn = (texts: Texts): Column => ({
  name: "created_at",
  label: texts("payouts.created"),
  isWide: true,
  from: "lg",
  className: "max-md:order-4 max-md:flex max-md:gap-2 whitespace-nowrap",
  cell: (payout) => <Creation payout={payout} />,
});

const decideColumn = (texts: Texts, cell: Column["cell"]): Column => ({
  name: "decide",
  label: texts("payouts.decide"),
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
  const texts = useTexts();
  const { status, approvals, approvals_required: required, obstacle } = payout;
  const isCounted = status === "requires_approval" && required > 1;
  return (
    <>
      <StatusBadge status={status} />
      {isCounted || obstacle ? (
        <span className="caption figures block whitespace-nowrap">
          {[
            isCounted && texts("payouts.approvalsLabel", { approvals: approvals.length, required }),
            obstacle && obstacleLabelsIn(texts)[obstacle],
          ]
            .filter(Boolean)
            .join(", ")}
        </span>
      ) : null}
    </>
  );
}

function Recipient({ payout: { recipient } }: PayoutCell) {
  const texts = useTexts();
  const account = texts("payouts.accountAndBank", {
    accountLast4: recipient.account_last4,
    bankCode: recipient.bank_code,
  });
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

const obstacleLabelsIn = (texts: Texts): Readonly<Record<NonNullable<Payout["obstacle"]>, string>> => ({
  made_by_you: texts("payouts.youMadeIt"),
  approved_by_you: texts("payouts.youApprovedIt"),
  authority_too_new: texts("payouts.olderThanYourRole"),
});

function Approvals({ payout }: PayoutCell) {
  const texts = useTexts();
  const { approvals, approvals_required: required, obstacle, lapses_at: expiresAt } = payout;
  return (
    <>
      <span className="figures block max-md:text-xs max-md:leading-5 max-md:text-ink-soft">
        {texts("payouts.approvalsGiven", { approvals: approvals.length, required })}
        <span className="md:sr-only"> {texts("payouts.approvalsWord")}</span>
      </span>
      <span className="caption block">
        {obstacle ? obstacleLabelsIn(texts)[obstacle] : null}
        {!obstacle && expiresAt ? (
          <>{texts.rich("payouts.expiresIn", { timeLeft: () => <TimeLeft iso={expiresAt} /> })}</>
        ) : null}
      </span>
    </>
  );
}

function BalanceAfter({ payout: { status, currency }, sum }: PayoutCell & { readonly sum: string | null }) {
  const texts = useTexts();
  if (sum === null || status !== "requires_approval") return <span className="text-ink-soft">–</span>;
  return (
    <span title={texts("payouts.balanceAfterHint")}>
      {sum} <span className="text-ink-soft">{currency}</span>
    </span>
  );
}
