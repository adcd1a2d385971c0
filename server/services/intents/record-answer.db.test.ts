// An answer that says that money moved is recorded later if the database refused it, even if the intent has ended meanwhile.

import { Client } from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { query } from "@/server/db/client";
import { now } from "@/server/platform/clock";
import { env } from "@/server/platform/env";
import { requireInvariants } from "@/server/testing/invariants";
import { balanceOf, makeLiveMerchant, payment, payout, type TestMerchant } from "@/server/testing/merchant";
import { installScriptedProvider, type ScriptedProvider } from "@/server/testing/scripted-provider";
import { scriptedTopup } from "@/server/testing/topup";
import { applyUpdate } from "../callbacks/apply-update";
import { finishDueIntents, workOnDueIntents } from "../due-intents";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { PAYMENTS } from "../payments/kind";
import { createPayoutIntent } from "../payouts/create";
import { PAYOUTS } from "../payouts/kind";
import { TOPUPS } from "../topups/kind";
import { followUp } from "./follow-up";
import { getIntent } from "./read";
import { recordAnswer } from "./record-answer";

const PAID = {
  kind: "succeeded",
  receiptId: null,
  amount: 1050n,
  currency: "BRL",
  providerReference: null,
} as const;
const PENDING = { kind: "pending", providerReference: null } as const;
const DECLINED = { kind: "declined", message: null, providerReference: null } as const;
const LEASE_MS = 30_000;

let merchant: TestMerchant;
let provider: ScriptedProvider;
let other: Client;
beforeEach(async () => {
  provider = installScriptedProvider();
  merchant = await makeLiveMerchant();
  other = new Client({ connectionString: env().databaseUrl ?? "" });
  await other.connect();
});
afterEach(async () => {
  await other.end();
  await requireInvariants();
});

/** Ends the payment by a refusal of its own provider, and then lets no money be booked until `other` rolls back. */
async function endAndLock(id: string): Promise<void> {
  const intent = await getIntent(PAYMENTS, merchant.scope, id);
  await applyUpdate(merchant.context, { kind: "payment_intent", intent }, [DECLINED]);
  await other.query("BEGIN");
  await other.query("LOCK TABLE ledger_transaction IN SHARE MODE");
}

async function suspenseOf(id: string): Promise<string[]> {
  const rows = await query<{ amount: string }>(
    `SELECT e.amount::text FROM ledger_transaction t
     JOIN ledger_entry e ON e.merchant_id = t.merchant_id AND e.transaction_id = t.id
     WHERE t.intent_id = $1 AND e.kind = 'suspense'`,
    id,
  );
  return rows.map(({ amount }) => amount);
}

it("the answer to a question", async () => {
  provider.answer = PENDING;
  const { intent } = await createPaymentIntent(merchant.context, payment({ amount: "1050" }), withoutIdempotency());
  provider.answerToQuestion = PAID;
  provider.duringAsk = () => endAndLock(intent.id);
  await query("UPDATE payment_intent SET due_at = now() - interval '1 second' WHERE id = $1", intent.id);
  await workOnDueIntents("payment_intent", 10, LEASE_MS);
  expect(await suspenseOf(intent.id)).toEqual([]);
  await other.query("ROLLBACK");
  await finishDueIntents();
  expect((await getIntent(PAYMENTS, merchant.scope, intent.id)).status).toBe("failed");
  expect(await suspenseOf(intent.id)).toEqual(["1050"]);
});

it("the answer to a creation, whose caller has its 503 meanwhile", async () => {
  provider.answer = PAID;
  let id = "";
  provider.duringSend = async (reference) => {
    id = reference;
    await endAndLock(reference);
  };
  const creation = createPaymentIntent(merchant.context, payment({ amount: "1050" }), withoutIdempotency());
  await expect(creation).rejects.toMatchObject({ code: "55P03" });
  await other.query("ROLLBACK");
  await finishDueIntents();
  expect((await getIntent(PAYMENTS, merchant.scope, id)).status).toBe("failed");
  expect(await suspenseOf(id)).toEqual(["1050"]);
});

it.each(["declined", "invalid_recipient"] as const)(
  "but not a refusal (%s): the payout may have been sent again and accepted meanwhile",
  async (kind) => {
    const [opening] = await balanceOf(merchant);
    const { intent } = await createPayoutIntent(merchant.context, payout({ amount: "25000" }), withoutIdempotency());
    provider.answer = { kind, message: null, providerReference: null };
    provider.duringSend = async () => {
      await other.query("BEGIN");
      await other.query("LOCK TABLE payout_intent IN SHARE MODE");
    };
    await expect(followUp(PAYOUTS, intent, now)).rejects.toBeDefined();
    provider.duringSend = async () => undefined;
    await other.query("ROLLBACK");
    provider.answerToQuestion = { kind: "never_accepted", detail: "unknown reference" };
    provider.answer = PENDING;
    await followUp(PAYOUTS, await getIntent(PAYOUTS, merchant.scope, intent.id), now);
    await finishDueIntents();
    expect((await getIntent(PAYOUTS, merchant.scope, intent.id)).status).toBe("processing");
    expect(await balanceOf(merchant)).toEqual([opening - 25_000n, 25_000n]);
  },
);

it("nor funds that dropped: they may have been seen again meanwhile", async () => {
  const { id, sourceAmount, sourceCurrency } = await scriptedTopup(merchant);
  const see = async (confirmed: boolean) => {
    const intent = await getIntent(TOPUPS, merchant.scope, id);
    const funds = {
      kind: "funds_seen",
      amount: sourceAmount,
      currency: sourceCurrency,
      providerReference: null,
    } as const;
    await applyUpdate(merchant.context, { kind: "topup_intent", intent }, [{ ...funds, confirmed }]);
  };
  await see(false);
  const intent = await getIntent(TOPUPS, merchant.scope, id);
  const outcome = { kind: "funds_dropped", amount: 0n, currency: sourceCurrency, providerReference: null } as const;
  await other.query("BEGIN");
  await other.query("LOCK TABLE topup_intent IN SHARE MODE");
  const recording = recordAnswer({
    kind: TOPUPS,
    intent,
    context: merchant.context,
    clock: now,
    outcome,
    attemptId: null,
    decide: (current, dropped, at, reportedAt) => TOPUPS.decide(current, dropped, at, { before: intent, reportedAt }),
  });
  await expect(recording).rejects.toBeDefined();
  await other.query("ROLLBACK");
  await see(true);
  await finishDueIntents();
  expect((await getIntent(TOPUPS, merchant.scope, id)).status).toBe("succeeded");
  expect(await suspenseOf(id)).toEqual([]);
});
