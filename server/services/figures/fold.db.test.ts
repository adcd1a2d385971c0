// Each finished intent is counted once, with any number of workers, any batch size, and late commits.
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { listStretchesAcrossMerchants } from "@/server/db/audit/stretches";
import { disconnect, query } from "@/server/db/client";
import { approvedPayout, makeMerchant, payment, payout, type TestMerchant } from "@/server/testing/merchant";
import { linkAuditEntries } from "../audit/link-entries";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { cancelPayoutIntent } from "../payouts/cancel";
import { createPayoutIntent } from "../payouts/create";
import { simulate } from "../sandbox/simulate";
import { foldFigures } from "./fold";
import { addUp } from "./testing/add-up";

let late: Client;
beforeAll(async () => {
  late = new Client({ connectionString: process.env.DATABASE_URL });
  await late.connect();
});
afterAll(async () => {
  await late.end();
  await disconnect();
});

/** Returns the sums of the events, and the figures with buckets of `minutes`. */
async function bothSums({ merchantId }: TestMerchant, minutes: number) {
  const counted = await query(
    `SELECT kind, currency, status, failure_code, sum(count)::int AS count, sum(amount)::text AS amount
     FROM intent_figure WHERE merchant_id = $1 AND minutes = $2 GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
    merchantId,
    minutes,
  );
  const told = await query(
    `SELECT split_part(e.type, '.', 1) AS kind, i.currency, e.status, coalesce(e.failure_code, '') AS failure_code,
            count(*)::int AS count, sum(i.amount)::text AS amount
     FROM event e JOIN (SELECT merchant_id, id, currency, amount FROM payment_intent
                        UNION ALL SELECT merchant_id, id, currency, amount FROM payout_intent) i
       ON i.merchant_id = e.merchant_id AND i.id = e.intent_id
     WHERE e.merchant_id = $1 GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
    merchantId,
  );
  return { counted, told };
}

async function expectExact(merchant: TestMerchant): Promise<void> {
  for (const minutes of [15, 60]) {
    const { counted, told } = await bothSums(merchant, minutes);
    expect(told.length).toBeGreaterThan(0);
    expect(counted).toEqual(told);
  }
}

/**
 * Creates payments that succeed, fail, are cancelled and stay open, with a late report, and payouts that settle or
 * fail.
 */
async function play(merchant: TestMerchant): Promise<void> {
  const outcomes = ["succeeded", "declined", "expired", null, "succeeded"];
  for (const [index, outcome] of outcomes.entries()) {
    const { intent } = await createPaymentIntent(
      merchant.context,
      payment({ amount: `${1010 + 10 * index}` }),
      withoutIdempotency(),
    );
    if (outcome) await simulate(merchant.context, intent.id, outcome);
    if (outcome === "expired") await simulate(merchant.context, intent.id, "succeeded");
  }
  const { id } = await approvedPayout(merchant);
  await simulate(merchant.context, id, "settled");
  await simulate(merchant.context, id, "returned");
  const { intent } = await createPayoutIntent(merchant.context, payout(), withoutIdempotency());
  await cancelPayoutIntent(merchant.context, { id: intent.id, reason: null }, withoutIdempotency());
}

it.each([1, 3, 2_000])("batches of %i links produce the sums of the events", async (batch) => {
  const merchant = await makeMerchant();
  await play(merchant);
  await addUp(merchant, batch);
  await expectExact(merchant);
  await play(merchant);
  await addUp(merchant, batch);
  await expectExact(merchant);
});

it("many concurrent workers count each finished intent once, while others finish", async () => {
  const merchant = await makeMerchant();
  const worker = async () => {
    for (let round = 0; round < 30; round += 1) {
      await linkAuditEntries();
      await foldFigures(2);
    }
  };
  await Promise.all([worker(), worker(), worker(), worker(), play(merchant), play(merchant)]);
  await addUp(merchant);
  await expectExact(merchant);
});

it("an intent whose finish commits after younger ones were added up is counted once", async () => {
  const merchant = await makeMerchant();
  const { intent } = await createPaymentIntent(merchant.context, payment({ amount: "77700" }), withoutIdempotency());
  const values = [merchant.merchantId, intent.id];
  await late.query("BEGIN");
  await late.query(
    "UPDATE payment_intent SET status = 'succeeded', next_action = NULL, due_at = NULL WHERE merchant_id = $1 AND id = $2",
    values,
  );
  await late.query(
    `INSERT INTO event (merchant_id, id, environment, type, intent_id, status, created_at, body)
     VALUES ($1, 'evt_late', 'test', 'payment_intent.succeeded', $2, 'succeeded', now() - interval '1 hour', '{}')`,
    values,
  );
  await late.query(
    `INSERT INTO audit_entry (merchant_id, id, environment, actor_type, actor_id, action, object_id, before, after, created_at)
     VALUES ($1, 'aud_0', 'test', 'worker', 'worker', 'payment_intent.provider_succeeded', $2, '{"status":"processing"}',
             '{"status":"succeeded"}', now() - interval '1 hour')`,
    values,
  );
  await late.query("INSERT INTO audit_pending (merchant_id, entry_id) VALUES ($1, 'aud_0')", [merchant.merchantId]);
  await play(merchant);
  await addUp(merchant);
  await expectExact(merchant);
  await late.query("COMMIT");
  await addUp(merchant);
  await expectExact(merchant);
  expect((await bothSums(merchant, 60)).counted).toContainEqual(
    expect.objectContaining({ status: "succeeded", kind: "payment_intent", count: 3 }),
  );
});

it("nothing is left to do after all is added up", async () => {
  const merchant = await makeMerchant();
  await play(merchant);
  await addUp(merchant);
  const left = await listStretchesAcrossMerchants("figure_mark", 10);
  expect(left.filter(({ merchantId }) => merchantId === merchant.merchantId)).toEqual([]);
});
