// Ending an intent by hand: what two people may confirm of it, and the plan of each outcome.

import { bookedException } from "./exceptions";
import { paymentCredit, payoutRelease, payoutSettlement } from "./ledger";
import { move as movePayment, type PaymentIntent } from "./payment-intent";
import { PAYMENT_TRANSITIONS } from "./payment-transitions";
import { movePayout, type PayoutIntent } from "./payout-intent";
import { PAYOUT_TRANSITIONS } from "./payout-transitions";
import { creditKey, receiptOf } from "./receipts";
import { divideFunds } from "./topup-funds";
import { creditAs as creditTopup, fail as failTopup, type TopupIntent } from "./topup-intent";
import { TOPUP_TRANSITIONS } from "./topup-transitions";
import type { Decision, Failure, IgnoredReport } from "./transition";

/** settled: a payout's money left. succeeded: a payment's or top-up's money arrived. failed: no money moved. */
export const RESOLUTION_OUTCOMES = ["settled", "succeeded", "failed"] as const;
/** The outcomes of a refund. */
export const REFUND_OUTCOMES = ["settled", "failed"] as const satisfies readonly (typeof RESOLUTION_OUTCOMES)[number][];
export type ResolutionOutcome = (typeof RESOLUTION_OUTCOMES)[number];

/** superseded: the intent changed before the resolution was confirmed. */
export const RESOLUTION_STATES = ["proposed", "confirmed", "rejected", "superseded"] as const;
export type ResolutionState = (typeof RESOLUTION_STATES)[number];

/** What really happened, as the evidence shows. */
interface Finding {
  readonly outcome: ResolutionOutcome;
  /**
   * What moved, in minor units: of a payout what left, of a payment its amount, of a top-up the total that was received in
   * its source currency. Null exactly for `failed`.
   */
  readonly amount: bigint | null;
  /** The provider's own reference of the movement: a later report under it is then known as the same money. */
  readonly providerReference: string | null;
}

/** A finding about one revision of an intent; it counts for no other. */
export interface Resolution extends Finding {
  readonly intentRevision: number;
}

const TRANSITIONS: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  payment_intent: PAYMENT_TRANSITIONS,
  payout_intent: PAYOUT_TRANSITIONS,
  topup_intent: TOPUP_TRANSITIONS,
};

/** Whether a manual resolution may end an intent of that kind, or a refund, in that status. */
export function isResolvable(kind: string, status: string): boolean {
  // A refund that nobody has confirmed is rejected instead.
  if (kind === "suspense_refund") return status === "confirmed";
  return "resolved_failed" in (TRANSITIONS[kind]?.[status] ?? {});
}

/**
 * A hand-made failure means that the provider, asked by a person, did not move the money. That is `provider_declined`:
 * `provider_unavailable` would say that no provider ever had it, which the evidence may contradict.
 */
const failed = (what: string): Failure => ({
  code: "provider_declined",
  message: `The provider did not complete the ${what}; resolved manually.`,
});

const MOVED_ON: IgnoredReport = { kind: "ignored", reason: "the intent has changed since its resolution was proposed" };

/**
 * Ends a payout. Settled for another sum, the hold ends whole all the same: less than held returns the rest to the wallet,
 * more leaves suspense short, with an exception.
 */
export function decidePayoutResolution(
  intent: PayoutIntent,
  { intentRevision, amount: moved }: Resolution,
  now: Date,
): Decision<PayoutIntent> {
  if (intent.revision !== intentRevision) return MOVED_ON;
  if (moved === null) {
    return movePayout(intent, "resolved_failed", now, failed("payout"), [payoutRelease(intent)]);
  }
  const settlement = payoutSettlement(intent, moved);
  const { kind, plan } = movePayout(intent, "resolved_settled", now, null, [settlement]);
  if (moved <= intent.amount) return { kind, plan };
  const exception = bookedException("amount_mismatch", settlement, { why: "more left than was held" });
  return { kind, plan: { ...plan, exceptions: [exception] } };
}

/** Ends a payment: its amount is credited, or nothing. */
export function decidePaymentResolution(
  intent: PaymentIntent,
  { intentRevision, amount, providerReference }: Resolution,
  now: Date,
): Decision<PaymentIntent> {
  if (intent.revision !== intentRevision) return MOVED_ON;
  if (amount === null) return movePayment(intent, "resolved_failed", now, {}, failed("payment"));
  const receipt = receiptOf(intent, { ...intent, receiptId: null, providerReference });
  const credit = paymentCredit(intent, creditKey(receipt));
  return movePayment(intent, "resolved_succeeded", now, {}, null, [credit]);
}

/** Ends a top-up: what was received is credited on its terms, or what was confirmed of it is kept apart. */
export function decideTopupResolution(
  intent: TopupIntent,
  { intentRevision, amount: received }: Resolution,
  now: Date,
): Decision<TopupIntent> {
  if (intent.revision !== intentRevision) return MOVED_ON;
  if (received === null) return failTopup(intent, "resolved_failed", failed("top-up"), now);
  return creditTopup(intent, received, now, "resolved_succeeded");
}

/** Whether that total, in source minor units, would credit anything. */
export function creditsAnything(intent: TopupIntent, received: bigint): boolean {
  return divideFunds(received, intent).credited.credit > 0n;
}
