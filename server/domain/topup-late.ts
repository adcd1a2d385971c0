// Owns what funds mean that come, or are gone, after a top-up's end: totals to be booked beside it, the row being final.
import type { CreditTerms } from "./fx";
import { fundsDropped, type IntentTransaction, lateCredit, type Received, toSuspense } from "./ledger";
import { divideRest, valueOf } from "./topup-funds";
import type { TopupPolicies } from "./topup-terms";
import type { Ignored, Total } from "./transition";

/** What the end of a top-up has settled. */
interface Ended extends CreditTerms {
  readonly status: string;
  /** Source minor units that the end took into account. */
  readonly receivedAmount: bigint;
  readonly policies: TopupPolicies;
}

/** Funds beyond those that the end took into account; the late-payment policy says where they go. */
export function decideOnLateFunds(
  ended: Ended,
  { amount, confirmed }: { readonly amount: bigint; readonly confirmed: boolean },
): Ignored | Total {
  if (ended.status === "succeeded" && amount <= ended.receivedAmount) {
    return { kind: "ignored", reason: "these funds are credited already" };
  }
  if (!confirmed) return { kind: "ignored", reason: "late funds, not confirmed yet" };
  const total = valueOf(amount, ended) - valueOf(ended.receivedAmount, ended);
  if (total <= 0n) return { kind: "ignored", reason: "late funds worth less than one minor unit" };
  const policy = ended.policies.latePayment;
  const terms = policy === "credit_actual" ? ended : null;
  return { kind: "total", reason: "late_money", currency: ended.destinationCurrency, total, terms, policy };
}

/** Funds that are gone although the end took them into account; `remaining` is the total left, in source minor units. */
export function decideOnLateDrop(ended: Ended, remaining: bigint): Total {
  const total = valueOf(ended.receivedAmount, ended) - valueOf(remaining, ended);
  return {
    kind: "total",
    reason: "funds_dropped",
    currency: ended.destinationCurrency,
    total,
    terms: null,
    policy: null,
  };
}

/** What is booked beside a top-up already, in minor units of its destination. */
export interface BookedBeside {
  readonly late: bigint;
  readonly dropped: bigint;
}

/** How much of a total is not booked yet; late funds that are gone are missed as well as those of the end. */
export function unbookedOf({ reason, total }: Total, { late, dropped }: BookedBeside): bigint {
  return reason === "late_money" ? total - late : total + late - dropped;
}

/** The booking of what a total lacks. */
export function totalTransaction({ reason, terms }: Total, received: Received): IntentTransaction {
  if (reason === "funds_dropped") return fundsDropped(received);
  return terms ? lateCredit(received, divideRest(received.amount, terms)) : toSuspense("late_money", received);
}
