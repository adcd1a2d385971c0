// Reported totals of a top-up of whose money people have decided something, or of which funds are gone: whether the books have
// what is reported is for a person to judge.
import type { ExceptionFact } from "./exceptions";
import type { KnownTotals } from "./topup-step";
import type { ReportedTotal } from "./transition";

/** What operators have booked by hand of a top-up's money through its provider. */
export interface BookedByHand {
  /** Number of entries; corrections count, so the sum may be zero. */
  readonly count: number;
  /** What they took in, less what they took back; minor units of the currency in which the total is booked. */
  readonly amount: bigint;
}

/** The sum that the books may lack, in minor units, and why nobody but a person can tell. */
export interface TotalInDoubt {
  readonly amount: bigint;
  readonly why: string;
}

/**
 * What a total would book if what people decided, and what was gone, did not count; null if that is nothing. People may have booked
 * just this money by hand, and funds that were gone may have come again. `known` counts reports alone.
 */
export function totalInDoubt(total: ReportedTotal, known: KnownTotals, byHand: BookedByHand): TotalInDoubt | null {
  const gone = known.dropped > 0n ? known.dropped : 0n;
  if (byHand.count === 0 && (gone === 0n || !total.isOfFunds)) return null;
  const left = { ...known, taken: known.taken - gone, dropped: known.dropped - gone };
  const bookedFor = (others: bigint) => {
    const booking = total.next({ ...left, taken: left.taken + others })?.booking;
    const moved = booking?.transaction.entries.find(({ account }) => account === "provider_clearing")?.amount ?? 0n;
    return moved < 0n ? -moved : moved;
  };
  const why = byHand.count > 0 ? "journal entries have booked money of it" : "these funds were gone";
  const amount = bookedFor(0n) || bookedFor(byHand.amount);
  return amount === 0n ? null : { amount, why };
}

/**
 * The exception of a total in doubt. A total that is only repeated opens no second one; `others` tells it from the same total
 * after others: it changes with each other total that was recorded or asked about.
 */
export function totalException(
  intentId: string,
  { token, currency, reported }: ReportedTotal,
  { amount, why }: TotalInDoubt,
  others: string,
): ExceptionFact {
  return {
    kind: "ambiguous_receipt",
    objectId: intentId,
    fact: `${totalFacts(intentId)}${token}:${reported}:${others}`,
    detail: {
      amount: amount.toString(),
      currency,
      why,
      reported_amount: reported.toString(),
      reported_currency: token,
    },
  };
}

/** What the facts of such exceptions start with. */
export function totalFacts(intentId: string): string {
  return `ambiguous_receipt:${intentId}:total:`;
}
