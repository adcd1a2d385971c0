// An answer about money that the database did not take at once is recorded later, also when the intent has ended meanwhile.

import { Client } from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { query } from "@/server/db/client";
import { env } from "@/server/platform/env";
import { requireSoundness } from "@/server/testing/invariants";
import { makeLiveMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { installScriptedProvider, type ScriptedProvider } from "@/server/testing/scripted-provider";
import { applyUpdate } from "../callbacks/apply-update";
import { finishDueIntents, workOnDueIntents } from "../due-intents";
import { withoutIdempotency } from "../idempotency/completion";
import { requireInvariants } from "../invariants/testing/require-invariants";
import { createPaymentIntent } from "../payments/create";
import { PAYMENTS } from "../payments/kind";
import { getIntent } from "./read";

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
  await requireSoundness();
  await requireInvariants();
});

/** Lets the provider's own refusal end the payment, and then no money be booked until `other` rolls back. */
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
  await query("UPDATE payment_intent SET due_at = now() WHERE id = $1", intent.id);
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
