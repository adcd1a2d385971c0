// Owns bringing a due payment intent forward.
import type { PaymentOutcome } from "@/server/domain/outcome";
import {
  decideExpiry,
  decideOnPaymentOutcome,
  decidePaymentReroute,
  nextPaymentLook,
  type PaymentIntent,
} from "@/server/domain/payment-intent";
import { isPendingPayment } from "@/server/domain/pending-payment";
import type { Clock } from "@/server/platform/clock";
import { followUp } from "../intents/follow-up";
import { PAYMENTS } from "../intents/transition";
import { paymentRequest } from "./provider-request";

/** Polls the provider about the payment, records its reports, and ends the payment once the customer's time is up. */
export async function followUpPayment(intent: PaymentIntent, clock: Clock): Promise<void> {
  await followUp<PaymentIntent, PaymentOutcome>({
    kind: PAYMENTS,
    intent,
    clock,
    deadline: (current) => (isPendingPayment(current) ? null : current.expiresAt),
    safeToFail: true,
    currency: intent.currency,
    channel: intent.paymentMethod,
    send: (gateway, current, signal, announcedAt) =>
      gateway.createPayment({ ...paymentRequest(current), announcedAt }, signal),
    query: (gateway, current, signal, at) => gateway.queryPayment(paymentRequest(current), signal, at),
    cancel: ({ cancelPayment }) =>
      cancelPayment ? (current, signal) => cancelPayment(paymentRequest(current), signal) : null,
    decideReroute: decidePaymentReroute,
    decide: (current, outcome, at) => decideOnPaymentOutcome(current, outcome, at, intent.payerActedAt),
    decideExpiry,
    nextLook: nextPaymentLook,
  });
}
