// Funds of a top-up that the row cannot take in: late, beyond a success, gone after the end, or in another token. Each
// report is a total, so a step books what the books lack of it. Steps are numbered: of two on the same state one is kept.

import { bookedException } from "./exceptions";
import type { CreditTerms } from "./fx";
import type { IntentTransaction } from "./ledger";
import { fundsDropped, unmatchedTopupFunds } from "./ledger-topups";
import { divideGrowth, valueOf } from "./topup-funds";
import type { Booking, KnownTotals, TotalStep } from "./topup-step";
import type { TopupPolicies } from "./topup-terms";
import type { ReportedFunds, TopupTotals } from "./topup-totals";
import type { IgnoredReport, ReportedTotal } from "./transition";

interface Terms extends CreditTerms {
  readonly id: string;
  readonly policies: TopupPolicies;
}

/** A top-up in a terminal status. */
interface EndedTopup extends Terms, TopupTotals {
  readonly status: string;
}

const ignored = (reason: string): IgnoredReport => ({ kind: "ignored", reason });
const largest = (...sums: readonly bigint[]) => sums.reduce((one, other) => (one > other ? one : other));

/** A growth of the confirmed total, in source minor units, and its value in destination minor units. */
interface Growth {
  readonly from: bigint;
  readonly to: bigint;
  readonly value: bigint;
}

/** Funds that came after the end: credited or kept, as the late-payment policy says. */
export function lateBooking(terms: Terms, growth: Growth, step: string): Booking {
  const policy = terms.policies.latePayment;
  const uniqueKey = `topup_late:${terms.id}:${step}`;
  const isCredited = policy === "credit_actual";
  const transaction = unmatchedBooking(terms, growth, { reason: "late_money", uniqueKey, isCredited });
  return { transaction, exception: isCredited ? null : bookedException("late_money", transaction, { policy }) };
}

/** Funds that came in time after the full sum had been credited: credited or kept, as the overpayment policy says. */
function overpaidBooking(ended: EndedTopup, growth: Growth, step: string): Booking {
  const policy = ended.policies.overpayment;
  const uniqueKey = `topup_over:${ended.id}:${step}`;
  const isCredited = policy === "credit_actual";
  const reason = isCredited ? "topup_credit" : "amount_mismatch";
  const transaction = unmatchedBooking(ended, growth, { reason, uniqueKey, isCredited });
  const detail = { why: "overpaid", policy };
  return { transaction, exception: isCredited ? null : bookedException("amount_mismatch", transaction, detail) };
}

interface Naming {
  readonly reason: "late_money" | "topup_credit" | "amount_mismatch";
  readonly uniqueKey: string;
  readonly isCredited: boolean;
}

function unmatchedBooking(
  terms: Terms,
  { from, to, value }: Growth,
  { reason, uniqueKey, isCredited }: Naming,
): IntentTransaction {
  const sum = { intentId: terms.id, currency: terms.destinationCurrency, amount: value };
  return unmatchedTopupFunds(reason, uniqueKey, sum, isCredited ? divideGrowth(from, to, value, terms) : null);
}

/**
 * Funds reported after the end. What came in time beyond a success falls under the overpayment policy; all else under the
 * late-payment policy.
 */
export function decideOnLateFunds(ended: EndedTopup, funds: ReportedFunds): IgnoredReport | ReportedTotal {
  const isSuccess = ended.status === "succeeded";
  const isSeenInTime = isSuccess && funds.isInTime && funds.amount > ended.seenAmount;
  if (!funds.confirmed && !isSeenInTime) return ignored("late funds, not confirmed yet");
  return {
    kind: "total",
    isOwnToken: true,
    token: ended.sourceCurrency,
    currency: ended.destinationCurrency,
    reported: funds.amount,
    isOfFunds: true,
    next: (known) => nextForFunds(ended, funds, known),
  };
}

function nextForFunds(
  ended: EndedTopup,
  { amount, confirmed, isInTime }: ReportedFunds,
  known: KnownTotals,
): TotalStep | null {
  const isSuccess = ended.status === "succeeded";
  const knownSeen = known.seen ?? ended.seenAmount;
  const seen = isSuccess && isInTime ? largest(knownSeen, amount) : knownSeen;
  const base = largest(ended.receivedAmount, ended.reportedAmount, known.reported);
  const step = known.ordinal.toString();
  const growthTo = (to: bigint): Growth => {
    const value = valueOf(to, ended) - valueOf(ended.receivedAmount, ended) - known.taken;
    return { from: base, to, value };
  };
  const inTime = growthTo(isSuccess && confirmed ? (amount < seen ? amount : seen) : 0n);
  if (inTime.value > 0n) {
    const booking = overpaidBooking(ended, inTime, step);
    return { action: stepAction(booking, "overpayment"), base, reported: largest(base, inTime.to), seen, booking };
  }
  const all = growthTo(confirmed ? amount : 0n);
  if (all.value > 0n) {
    const booking = lateBooking(ended, all, step);
    return { action: stepAction(booking, "late_money"), base, reported: largest(base, all.to), seen, booking };
  }
  return seen > knownSeen ? { action: "topup_total.seen", base, reported: base, seen, booking: null } : null;
}

function stepAction({ exception }: Booking, what: "overpayment" | "late_money"): string {
  if (!exception) return `wallet.${what}`;
  return `suspense.${exception.kind}`;
}

/**
 * Funds gone after the end, of those that it took in and of those that came since; `remaining` is the total left. What was
 * seen in time and is gone counts as late when it comes again. A report from before a person restored the funds tells nothing:
 * that decision is newer.
 */
export function decideOnLateDrop(ended: EndedTopup, remaining: bigint, reportedAt: Date): ReportedTotal {
  const next = (known: KnownTotals): TotalStep | null => {
    if (known.restoredAt !== null && reportedAt < known.restoredAt) return null;
    const taken = valueOf(ended.receivedAmount, ended) + known.taken;
    const amount = taken - known.dropped - valueOf(remaining, ended);
    const base = largest(ended.receivedAmount, ended.reportedAmount, known.reported);
    const knownSeen = known.seen ?? ended.seenAmount;
    const isLower = ended.status === "succeeded" && remaining < knownSeen;
    const totals = { base, reported: base, seen: isLower ? remaining : knownSeen };
    if (amount <= 0n) return isLower ? { action: "topup_total.seen", ...totals, booking: null } : null;
    const sum = { intentId: ended.id, currency: ended.destinationCurrency, amount };
    const transaction = fundsDropped({ ...sum, reference: known.ordinal.toString() });
    const booking = { transaction, exception: bookedException("funds_dropped", transaction) };
    return { action: "suspense.funds_dropped", ...totals, booking };
  };
  return {
    kind: "total",
    isOwnToken: true,
    token: ended.sourceCurrency,
    currency: ended.destinationCurrency,
    reported: remaining,
    isOfFunds: false,
    next,
  };
}

/** Confirmed funds in a token that was not asked for: their growth is kept in suspense as it is. */
export function decideOnOtherToken(intentId: string, token: string, total: bigint): ReportedTotal {
  const next = (known: KnownTotals): TotalStep | null => {
    const amount = total - known.taken;
    if (amount <= 0n) return null;
    const uniqueKey = `other_token:${intentId}:${known.ordinal}`;
    const transaction = unmatchedTopupFunds("amount_mismatch", uniqueKey, { intentId, currency: token, amount }, null);
    const booking = { transaction, exception: bookedException("amount_mismatch", transaction) };
    const base = largest(known.reported, known.taken);
    return { action: "suspense.amount_mismatch", base, reported: total, seen: 0n, booking };
  };
  return { kind: "total", isOwnToken: false, token, currency: token, reported: total, isOfFunds: true, next };
}
