// The sandbox's answers: what it makes of each kind of request, as pure functions of the request.
import type { TopupNextAction } from "@/server/domain/next-action";
import type { PaymentOutcome, PayoutOutcome, TopupOutcome } from "@/server/domain/outcome";
import type { PaymentRequest, PayoutQuery, TopupRequest } from "../gateway";
import { cryptoAddress } from "./crypto-address";
import { receiptIdOf, traceOf } from "./derive";
import { magicOf } from "./magic";
import { paymentNextAction } from "./next-action";

/** Age from which a payout that takes its normal course is settled. */
const SETTLES_AFTER_MS = 2_000;

export function isPast(since: Date, ms: number, now: Date): boolean {
  return now.getTime() - since.getTime() >= ms;
}

export function declined(reference: string, message: string) {
  return { kind: "declined", message, ...traceOf(reference, "sandbox_declined") } as const;
}

/** Closed unpaid; also the answer to every cancel call, since the sandbox reports what is paid at once. */
export function expired(reference: string) {
  return { kind: "expired", ...traceOf(reference) } as const;
}

export function paymentSucceeded({ amount, currency, reference }: PaymentRequest): PaymentOutcome {
  return { kind: "succeeded", receiptId: receiptIdOf(reference), amount, currency, ...traceOf(reference) };
}

export function paymentRequiresAction(request: PaymentRequest): PaymentOutcome {
  return { kind: "requires_action", nextAction: paymentNextAction(request), ...traceOf(request.reference) };
}

/** What a new payment comes to before its payer does anything. */
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
 * The news about a payment: what it came to, unless we know, since all further news comes from its payer; and money
 * after the end for amounts that end in 07.
 */
export function paymentNews(request: PaymentRequest, now: Date): PaymentOutcome[] {
  if (magicOf(request.amount) === "late_money" && request.expiresAt <= now) {
    return [expired(request.reference), paymentSucceeded(request)];
  }
  return request.isAnswered ? [] : [paymentTruth(request)];
}

export function payoutSettled({ amount, currency, reference }: PayoutQuery): PayoutOutcome {
  return { kind: "settled", amount, currency, ...traceOf(reference) };
}

/** What a payout comes to; the normal course is pending at first and settled two seconds after its creation. */
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

/** Funds for a top-up, as a share of the asked-for source amount in per cent. */
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

/** What a new top-up comes to before its payer does anything. */
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

/** The news about a top-up: what it came to, and funds after the end for amounts that end in 07. */
export function topupNews(request: TopupRequest, now: Date): TopupOutcome[] {
  if (magicOf(request.destinationAmount) === "late_money" && request.expiresAt <= now) {
    return [expired(request.reference), fundsSeen(request, 100n, true)];
  }
  return [topupTruth(request)];
}
