import { findPaymentMethod } from "@/server/domain/payment-methods";
import type { CallContext } from "@/server/domain/scope";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { approvePayoutIntent } from "../payouts/approve";
import { cancelPayoutIntent } from "../payouts/cancel";
import { createPayoutIntent } from "../payouts/create";
import { simulate } from "../sandbox/simulate";
import { createTopupIntent } from "../topups/create";
import type { DemoPayment, DemoPayout, DemoTopup } from "./demo-intents";
import type { Scenario } from "./scenarios";

/** Steps that run concurrently over one connection pool. */
const CONCURRENCY = 16;

export interface DemoActors {
  /** The merchant's system with its test key; creates every intent. */
  readonly merchant: CallContext;
  /** The person who decides on payouts; never their maker. */
  readonly approver: CallContext;
}

/** Creates every intent of the scenario and brings each to its status; 16 intents at a time, each one's steps in order. */
export async function playScenario(actors: DemoActors, { payments, payouts, topups }: Scenario): Promise<void> {
  const intents = [
    ...payments.map((payment, index) => () => playPayment(actors, payment, index)),
    ...payouts.map((payout, index) => () => playPayout(actors, payout, index)),
    ...topups.map((topup, index) => () => playTopup(actors, topup, index)),
  ].values();
  const lane = async () => {
    for (const play of intents) await play();
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, lane));
}

function reference(noun: string, index: number): string {
  return `demo-${noun}-${String(index + 1).padStart(3, "0")}`;
}

async function playSteps(context: CallContext, id: string, steps: readonly string[]): Promise<void> {
  for (const step of steps) await simulate(context, id, step);
}

async function playPayment({ merchant }: DemoActors, payment: DemoPayment, index: number): Promise<void> {
  const method = findPaymentMethod(payment.method);
  if (!method) throw new Error(`the demo uses ${payment.method}, which the catalogue does not have`);
  const command = {
    amount: payment.amount,
    currency: method.currency,
    country: method.country,
    paymentMethod: method.code,
    merchantReference: reference("order", index),
    customer: { name: payment.customer, reference: reference("customer", index) },
    description: payment.description,
    returnUrl: null,
  };
  const { intent } = await createPaymentIntent(merchant, command, withoutIdempotency());
  await playSteps(merchant, intent.id, payment.steps);
}

async function playPayout({ merchant, approver }: DemoActors, payout: DemoPayout, index: number): Promise<void> {
  const { amount, currency, country, holderName, bankCode, accountNumber, steps, reason = null } = payout;
  const recipient = { type: "bank_account", accountNumber, bankCode, holderName } as const;
  const command = { amount, currency, country, merchantReference: reference("payout", index), recipient };
  const { intent } = await createPayoutIntent(merchant, command, withoutIdempotency());
  for (const step of steps) {
    if (step === "approve") await approvePayoutIntent(approver, { id: intent.id });
    else if (step === "cancel") await cancelPayoutIntent(approver, { id: intent.id, reason }, withoutIdempotency());
    else await simulate(merchant, intent.id, step);
  }
}

async function playTopup({ merchant }: DemoActors, topup: DemoTopup, index: number): Promise<void> {
  const { amount, currency, country, network, steps } = topup;
  const command = {
    destination: { amount, currency },
    source: { type: "provider_gateway", provider: null, currency: "USDT", network } as const,
    country,
    merchantReference: reference("topup", index),
  };
  const { intent } = await createTopupIntent(merchant, command, withoutIdempotency());
  await playSteps(merchant, intent.id, steps);
}
