// What a provider's reports of a top-up's funds add up to, in whatever order they arrive. All sums are source minor units.

export interface TopupTotals {
  /** The largest total reported in time, confirmed or not. Never below `receivedAmount`. */
  readonly seenAmount: bigint;
  /** The confirmed part of it; in a terminal status, what the end took into account. */
  readonly receivedAmount: bigint;
  /** The largest confirmed total reported, in time or not. */
  readonly reportedAmount: bigint;
}

/** A total reported by the provider. `isInTime`: it counts as paid within the quote. */
export interface ReportedFunds {
  readonly amount: bigint;
  readonly confirmed: boolean;
  readonly isInTime: boolean;
}

const larger = (one: bigint, other: bigint) => (one > other ? one : other);
const smaller = (one: bigint, other: bigint) => (one < other ? one : other);

/** The totals after a report of funds. The order of reports makes no difference: each figure only grows. */
export function withFunds(totals: TopupTotals, { amount, confirmed, isInTime }: ReportedFunds): TopupTotals {
  const seenAmount = isInTime ? larger(totals.seenAmount, amount) : totals.seenAmount;
  const total = confirmed ? amount : 0n;
  return {
    seenAmount,
    receivedAmount: larger(totals.receivedAmount, smaller(total, seenAmount)),
    reportedAmount: larger(totals.reportedAmount, total),
  };
}

/** The totals after funds vanished; `remaining` is what is left of them. */
export function withDrop(totals: TopupTotals, remaining: bigint): TopupTotals {
  return {
    seenAmount: smaller(totals.seenAmount, remaining),
    receivedAmount: smaller(totals.receivedAmount, remaining),
    reportedAmount: smaller(totals.reportedAmount, remaining),
  };
}

export function areSameTotals(one: TopupTotals, other: TopupTotals): boolean {
  return (
    one.seenAmount === other.seenAmount &&
    one.receivedAmount === other.receivedAmount &&
    one.reportedAmount === other.reportedAmount
  );
}
