import fc from "fast-check";
import { expect, it } from "vitest";
import { sizeOf } from "@/e2e/support/tier";
import type { LedgerTransaction } from "./ledger";
import type { PaymentOutcome, PayoutOutcome } from "./outcome";
import { decideOnPaymentOutcome } from "./payment-intent";
import { decideOnPayoutOutcome } from "./payout-intent";
import { decidedWith } from "./testing/booked";
import { AMOUNT, type CallbackReport, type Reading, readPayment, readPayout } from "./testing/callback-fold";
import { paymentOrders, payoutOrders } from "./testing/callback-orders";
import { after, samplePayment, samplePayout } from "./testing/samples";
import type { Decision, IntentCore } from "./transition";

/** Orders of one set of callbacks per run. */
const ORDERS = 5;
/** Sets of each kind: 10,000 histories, the same ones every time; 100,000 in a deep run. */
const RUNS = { numRuns: sizeOf({ representative: 1_000, deep: 10_000 }), seed: 20_261_121 };

function outcomeOf({
  status,
  amount = "0",
  currency = "",
  provider_reference,
}: CallbackReport): PaymentOutcome & PayoutOutcome {
  const sum = { amount: BigInt(amount), currency };
  const receiptId = `${provider_reference} ${amount} ${currency}`;
  return { kind: status, ...sum, receiptId, message: null, providerReference: provider_reference } as never;
}

/**
 * Plays callbacks as the service does: what is planned or stray is booked, each key once, and after a contradiction the
 * database refuses to fail the intent.
 */
function play<Intent extends IntentCore<string>>(
  start: Intent,
  callbacks: readonly CallbackReport[],
  decide: (intent: Intent, told: CallbackReport) => Decision<Intent>,
): Reading & { readonly events: number } {
  const booked = new Map<string, LedgerTransaction>();
  let intent = start;
  let events = 0;
  let contradicted = false;
  for (const told of callbacks) {
    const decision = decidedWith(decide(intent, told), booked.values());
    contradicted ||= decision.kind === "contradiction";
    if (decision.kind === "unmatched_funds" && !booked.has(decision.transaction.uniqueKey)) {
      booked.set(decision.transaction.uniqueKey, decision.transaction);
    }
    if (decision.kind !== "planned" || (contradicted && decision.plan.after.status === "failed")) continue;
    for (const transaction of decision.plan.transactions) booked.set(transaction.uniqueKey, transaction);
    if (decision.plan.eventType) events += 1;
    intent = decision.plan.after;
  }
  let wallet = 0n;
  const suspense: Record<string, bigint> = {};
  for (const { account, currency, amount } of [...booked.values()].flatMap(({ entries }) => entries)) {
    if (account === "available" || account === "held") wallet += amount;
    if (account === "suspense") suspense[currency] = (suspense[currency] ?? 0n) + amount;
  }
  const kept = Object.entries(suspense).filter(([, sum]) => sum !== 0n);
  return { status: intent.status, wallet, suspense: Object.fromEntries(kept), events };
}

const endsWithOneEvent = (right: Reading) => ({ ...right, events: right.status === "processing" ? 0 : 1 });

it("a payment's callbacks in any order lead to the one right state, and no order books another sum", () => {
  const start = samplePayment("processing", { amount: BigInt(AMOUNT) });
  const property = fc.property(paymentOrders(ORDERS), (orders) => {
    const totals = orders.map((callbacks) => {
      const right = readPayment(callbacks);
      const played = play(start, callbacks, (intent, told) =>
        decideOnPaymentOutcome(intent, outcomeOf(told), after(1_000)),
      );
      expect(played).toEqual(endsWithOneEvent(right));
      return played.wallet + (played.suspense.BRL ?? 0n);
    });
    expect(new Set(totals).size).toBe(1);
  });
  fc.assert(property, RUNS);
});

it("a payout's callbacks in any order lead to the one right state", () => {
  const start = samplePayout("processing", { amount: BigInt(AMOUNT) });
  const property = fc.property(payoutOrders(ORDERS), (orders) => {
    for (const callbacks of orders) {
      const played = play(start, callbacks, (intent, told) =>
        decideOnPayoutOutcome(intent, outcomeOf(told), after(1_000)),
      );
      expect(played).toEqual(endsWithOneEvent(readPayout(callbacks)));
    }
  });
  fc.assert(property, RUNS);
});
