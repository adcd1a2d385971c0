import { paymentCommitter } from "@/server/db/commit/commit";
import { paymentMapping } from "@/server/db/intents/payment-row";
import { paymentIntents } from "@/server/db/intents/stores";
import type { PaymentOutcome } from "@/server/domain/outcome";
import {
  decideExpiry,
  decideOnPaymentOutcome,
  decidePaymentReroute,
  nextPaymentPoll,
  type PaymentIntent,
} from "@/server/domain/payment-intent";
import { PAYMENT_STATUSES } from "@/server/domain/payment-transitions";
import { isPendingPayment } from "@/server/domain/pending-payment";
import { reportingOf } from "../callbacks/channels";
import type { IntentKind } from "../intents/kind";
import { withNextPoll } from "../intents/next-poll";
import { paymentRequest } from "./provider-request";

function nextPollAt(intent: PaymentIntent, at: Date): Date {
  return nextPaymentPoll(intent, at, reportingOf(intent.provider, intent.paymentMethod));
}

/** Payment intents: money that a merchant collects. */
export const PAYMENTS: IntentKind<PaymentIntent, PaymentOutcome> = {
  table: "payment_intent",
  idKind: "paymentIntent",
  statuses: PAYMENT_STATUSES,
  mapping: paymentMapping,
  store: paymentIntents,
  committer: paymentCommitter,
  gate: null,
  safeToFail: true,
  currency: ({ currency }) => currency,
  channel: ({ paymentMethod }) => paymentMethod,
  deadline: (intent) => (isPendingPayment(intent) ? null : intent.expiresAt),
  nextPollAt,
  send: (gateway, intent, signal, { announcedAt, history }) =>
    gateway.createPayment({ ...paymentRequest(intent), ...history, announcedAt }, signal),
  query: (gateway, intent, signal, { at, history }) =>
    gateway.queryPayment({ ...paymentRequest(intent), ...history }, signal, at),
  cancel: ({ cancelPayment }, intent, signal, history) =>
    cancelPayment?.({ ...paymentRequest(intent), ...history }, signal) ?? null,
  decide: (current, outcome, at, { before }) =>
    withNextPoll(decideOnPaymentOutcome(current, outcome, at, before.payerActedAt), nextPollAt),
  decideReroute: decidePaymentReroute,
  decideExpiry,
};
