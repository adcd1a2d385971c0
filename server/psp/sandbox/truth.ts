// The sandbox's outcomes of each kind of request, as pure functions of the request.
import type { TopupNextAction } from "@/server/domain/next-action";
import type { PaymentOutcome, PayoutOutcome, RefundOutcome, TopupOutcome } from "@/server/domain/outcome";
import type { PaymentRequest, PayoutQuery, RefundRequest, TopupRequest } from "../gateway";
import { cryptoAddress } from "./crypto-address";
import { receiptIdOf, traceOf } from "./derive";
import { magicOf } from "./magic";
import { paymentNextAction } from "./next-action";

/** Age at which a normal payout is settled. */
const SETTLES_AFTER_MS = 2_000;

/** Returns true from `ms` milliseconds after `since`. */
export function isPast(since: Date, ms: number, now: Date): boolean {
  return now.getTime() - since.getTime() >= ms;
}

/** Returns a declined outcome with a message for people. */
export function declined(reference: string, message: string) {
  return { kind: "declined", message, ...traceOf(reference, "sandbox_declined") } as const;
}

/**
 * Returns the outcome of an intent closed unpaid. Also answers every cancel call, since the sandbox reports payment at
 * once.
 */
export function expired(reference: string) {
  return { kind: "expired", ...traceOf(reference) } as const;
}

/** Returns the outcome of a payment paid in full. */
export function paymentSucceeded({ amount, currency, reference }: PaymentRequest): PaymentOutcome {
  return { kind: "succeeded", receiptId: receiptIdOf(reference), amount, currency, ...traceOf(reference) };
}

/** Returns the outcome of a payment that awaits its payer. */
export function paymentRequiresAction(request: PaymentRequest): PaymentOutcome {
  return { kind: "requires_action", nextAction: paymentNextAction(request), ...traceOf(request.reference) };
}

/** Returns the outcome of a new payment before its payer acts. */
export function paymentTruth(request: PaymentRequest): PaymentOutcome {
  switch (magicOf(request.amount)) {
    case "declined":
      return declined(request.reference, "The sandbox declines amounts that end in 01.");
    case "instant":
      return paymentSucceeded(request);
    case "expired":
      return expired(request.reference);
    default:
      return paymentRequiresAction(request);
  }
}

/**
 * Returns the new outcomes of a payment: its first one unless it is recorded, since its payer causes all others, and
 * late money for amounts that end in 07.
 */
export function paymentReports(request: PaymentRequest, now: Date): PaymentOutcome[] {
  if (magicOf(request.amount) === "late_money" && request.expiresAt <= now) {
    return [expired(request.reference), paymentSucceeded(request)];
  }
  return request.isAnswered ? [] : [paymentTruth(request)];
}

/** Returns the outcome of a payout settled in full. */
export function payoutSettled({ amount, currency, reference }: PayoutQuery): PayoutOutcome {
  return { kind: "settled", amount, currency, ...traceOf(reference) };
}

/** Returns the outcome of a payout; a normal one is pending at first and settled two seconds after its creation. */
export function payoutTruth(request: PayoutQuery, moment: "sent" | Date): PayoutOutcome {
  switch (magicOf(request.amount)) {
    case "declined":
      return declined(request.reference, "The sandbox declines amounts that end in 01.");
    case "expired":
      return declined(request.reference, "The sandbox lets payouts of amounts that end in 05 run out of time.");
    case "instant":
      return payoutSettled(request);
    default:
      if (moment === "sent" || !isPast(request.createdAt, SETTLES_AFTER_MS, moment)) {
        return { kind: "pending", ...traceOf(request.reference) };
      }
      return payoutSettled(request);
  }
}

/**
 * Returns the outcomes of a refund: amounts that end in 01 are declined, those that end in 08 are pending for good, and all others
 * settle at once; those that end in 05 then come back.
 */
export function refundReports({ amount, currency, reference }: RefundRequest): [RefundOutcome, ...RefundOutcome[]] {
  const sum = { amount, currency, ...traceOf(reference) };
  const settled = { kind: "settled", ...sum } as const;
  switch (magicOf(amount)) {
    case "declined":
      return [declined(reference, "The sandbox declines amounts that end in 01.")];
    case "underpaid":
      return [{ kind: "pending", ...traceOf(reference) }];
    case "expired":
      return [settled, { kind: "returned", ...sum }];
    default:
      return [settled];
  }
}

/** Returns funds for a top-up, as a percentage of its source amount. */
export function fundsSeen(request: TopupRequest, percent: bigint, confirmed: boolean): TopupOutcome {
  const amount = (request.sourceAmount * percent) / 100n;
  const received = amount > 0n ? amount : 1n;
  return {
    kind: "funds_seen",
    confirmed,
    amount: received,
    currency: request.sourceCurrency,
    ...traceOf(request.reference),
  };
}

/** Returns the outcome of a top-up that awaits its payer. */
export function topupInstructions(request: TopupRequest): TopupOutcome {
  const nextAction: TopupNextAction = {
    type: "display_crypto_payment_instructions",
    address: cryptoAddress(request.network, request.reference),
    amount: request.sourceAmount.toString(),
    currency: request.sourceCurrency,
    network: request.network,
    expires_at: request.expiresAt.toISOString(),
  };
  return { kind: "instructions", nextAction, ...traceOf(request.reference) };
}

/** Returns the outcome of a new top-up before its payer acts. */
export function topupTruth(request: TopupRequest): TopupOutcome {
  switch (magicOf(request.destinationAmount)) {
    case "declined":
      return declined(request.reference, "The sandbox declines amounts that end in 01.");
    case "instant":
      return fundsSeen(request, 100n, true);
    case "expired":
      return expired(request.reference);
    default:
      return topupInstructions(request);
  }
}

/** Returns the outcomes of a top-up: its first one, and late funds for amounts that end in 07. */
export function topupReports(request: TopupRequest, now: Date): TopupOutcome[] {
  if (magicOf(request.destinationAmount) === "late_money" && request.expiresAt <= now) {
    return [expired(request.reference), fundsSeen(request, 100n, true)];
  }
  return [topupTruth(request)];
}
