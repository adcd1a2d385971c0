// Repeated, reordered, late or contradictory callbacks, received on real Postgres, have the same result as applying
// them one by one: the same status, and every reported amount booked once.
import fc from "fast-check";
import { beforeAll, expect, it, vi } from "vitest";
import { sizeOf } from "@/e2e/support/tier";
import { query } from "@/server/db/client";
import {
  AMOUNT,
  type CallbackReport,
  type Reading,
  readPayment,
  readPayout,
} from "@/server/domain/testing/callback-fold";
import { paymentOrders, payoutOrders } from "@/server/domain/testing/callback-orders";
import { newId } from "@/server/platform/ids";
import { acceptCallbacks, sendCallback } from "@/server/testing/callbacks";
import { requireInvariants } from "@/server/testing/invariants";
import { makeLiveMerchant, payment, payout, type TestMerchant } from "@/server/testing/merchant";
import { installScriptedProvider } from "@/server/testing/scripted-provider";
import { applyDueCallbacks } from "../callbacks/receive-callback";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { createPayoutIntent } from "../payouts/create";

const SETS = sizeOf({ representative: 60, deep: 500 });
const ORDERS = 2;
const SEED = 20_261_121;
/** Intents that receive callbacks concurrently. */
const CONCURRENCY = 20;

vi.setConfig({ testTimeout: 3_600_000 });

let merchants: readonly TestMerchant[];
beforeAll(async () => {
  installScriptedProvider().answer = { kind: "pending", providerReference: null };
  acceptCallbacks(2);
  merchants = await Promise.all([makeLiveMerchant(), makeLiveMerchant()]);
});

/** Equal reports are about the same money. */
const receiptIdOf = ({ provider_reference, amount, currency }: CallbackReport) =>
  `${provider_reference} ${amount} ${currency}`;

/** A provider's reference identifies one object, so no two intents share one. */
function ownReferences({ id }: Play["intent"], told: CallbackReport): CallbackReport {
  return { ...told, provider_reference: `${told.provider_reference}-${id}` };
}

interface Play {
  readonly intent: { readonly merchantId: string; readonly id: string };
  readonly callbacks: readonly CallbackReport[];
}

/** Applies received callbacks as the worker does until none waits; retries a failed one at once. */
async function applyAll(): Promise<void> {
  while ((await applyDueCallbacks(CONCURRENCY, 0)) > 0);
}

/** Sends the first callback of each play, then the second of each, and so on. */
async function tell(plays: readonly Play[]): Promise<void> {
  const longest = Math.max(...plays.map(({ callbacks }) => callbacks.length));
  for (let turn = 0; turn < longest; turn += 1) {
    const told = plays.flatMap(({ intent, callbacks }) => {
      const news = callbacks[turn];
      return news ? [sendCallback(intent, { ...ownReferences(intent, news), receipt_id: receiptIdOf(news) })] : [];
    });
    await Promise.all(told);
    // Adds a callback about an unknown intent.
    await sendCallback(
      { merchantId: merchants[0]?.merchantId ?? "", id: newId("paymentIntent") },
      { status: "expired" },
    );
    await applyAll();
  }
}

async function stateOf(kind: "payment_intent" | "payout_intent", { id }: Play["intent"]) {
  const sums = await query<{ account: string; currency: string; amount: string }>(
    `SELECT CASE WHEN e.kind IN ('available', 'held') THEN 'wallet' ELSE e.kind END AS account, e.currency,
            sum(e.amount)::text AS amount
     FROM ledger_transaction t JOIN ledger_entry e ON e.merchant_id = t.merchant_id AND e.transaction_id = t.id
     WHERE t.intent_id = $1 GROUP BY 1, 2 ORDER BY 2`,
    id,
  );
  const [row] = await query<{ status: string; events: number }>(
    `SELECT status, (SELECT count(*)::int FROM event v WHERE v.intent_id = i.id) AS events FROM ${kind} i WHERE id = $1`,
    id,
  );
  const of = (account: string) => sums.filter((sum) => sum.account === account && sum.amount !== "0");
  const suspense = of("suspense").map(({ currency, amount }) => [currency, BigInt(amount)]);
  const wallet = of("wallet").reduce((total, { amount }) => total + BigInt(amount), 0n);
  return { ...row, wallet, suspense: Object.fromEntries(suspense) };
}

const KINDS = {
  payment_intent: {
    orders: paymentOrders(ORDERS),
    read: readPayment,
    create: ({ context }: TestMerchant) =>
      createPaymentIntent(context, payment({ amount: AMOUNT }), withoutIdempotency()),
  },
  payout_intent: {
    orders: payoutOrders(ORDERS),
    read: readPayout,
    create: ({ context }: TestMerchant) =>
      createPayoutIntent(context, payout({ amount: AMOUNT }), withoutIdempotency()),
  },
};

const withEvents = (right: Reading) => ({ ...right, events: right.status === "processing" ? 0 : 1 });

it.each(["payment_intent", "payout_intent"] as const)(
  `${SETS * ORDERS} histories of callbacks about a %s each end in the correct state`,
  async (kind) => {
    const { orders, read, create } = KINDS[kind];
    const histories = fc.sample(orders, { seed: SEED, numRuns: SETS }).flat();
    for (let at = 0; at < histories.length; at += CONCURRENCY) {
      const plays = await Promise.all(
        histories.slice(at, at + CONCURRENCY).map(async (callbacks, turn) => {
          const { intent } = await create(merchants[turn % 2] as TestMerchant);
          return { intent, callbacks };
        }),
      );
      await tell(plays);
      for (const { intent, callbacks } of plays) {
        expect({ callbacks, ...(await stateOf(kind, intent)) }).toEqual({ callbacks, ...withEvents(read(callbacks)) });
      }
    }
    expect(histories).toHaveLength(SETS * ORDERS);
    await requireInvariants();
  },
);
