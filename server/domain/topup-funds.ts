// What the funds of a top-up come to, in destination minor units: credited, kept by the quote, kept in suspense.
import { type Credit, type CreditTerms, creditFor } from "./fx";
import type { TopupPolicies } from "./topup-terms";

/** What the provider owes for `received` source minor units: credit, spread and fee together. */
export function valueOf(received: bigint, terms: CreditTerms): bigint {
  const { credit, spread, fee } = creditFor(received, terms);
  return credit + spread + fee;
}

export interface Division {
  /** What is credited, with its spread and fee. */
  readonly credited: Credit;
  /** What the overpayment policy keeps apart. */
  readonly rest: bigint;
}

/** How the funds of a top-up that succeeds divide under its overpayment policy; the sum is the funds' whole value. */
export function divideFunds(received: bigint, terms: CreditTerms & { readonly policies: TopupPolicies }): Division {
  const { sourceAmount, policies } = terms;
  if (policies.overpayment === "credit_actual" || received <= sourceAmount) {
    return { credited: creditFor(received, terms), rest: 0n };
  }
  const rest = valueOf(received, terms) - valueOf(sourceAmount, terms);
  // Roundings of value and fee can differ by one unit where one source unit is worth next to nothing.
  return { credited: creditFor(sourceAmount, terms), rest: rest > 0n ? rest : 0n };
}

/**
 * How a sum of the top-up's that was kept apart, or came late, divides when it is credited after all: as the exact
 * payment would have, rounded down for the wallet. Nothing is left over.
 */
export function divideRest(amount: bigint, terms: CreditTerms): Credit {
  const whole = creditFor(terms.sourceAmount, terms);
  const value = whole.credit + whole.spread + whole.fee;
  if (value <= 0n) return { credit: amount, spread: 0n, fee: 0n };
  const credit = (amount * whole.credit) / value;
  const fee = (amount * whole.fee) / value;
  return { credit, fee, spread: amount - credit - fee };
}

/**
 * How the growth of a total divides: as the larger total less the smaller, so that no order of steps changes the sum.
 * Where its `value` is not their difference, as for funds booked before totals were stored, it divides by itself.
 */
export function divideGrowth(from: bigint, to: bigint, value: bigint, terms: CreditTerms): Credit {
  const [less, more] = [creditFor(from, terms), creditFor(to, terms)];
  const parts = { credit: more.credit - less.credit, spread: more.spread - less.spread, fee: more.fee - less.fee };
  const isWhole = parts.credit + parts.spread + parts.fee === value && parts.credit >= 0n;
  return isWhole ? parts : divideRest(value, terms);
}
