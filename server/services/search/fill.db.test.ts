// The search table has exactly the terms of every intent, with any number of workers, any batch size, and late commits.
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { listStretchesAcrossMerchants } from "@/server/db/audit/stretches";
import { disconnect, query } from "@/server/db/client";
import { fillTerms } from "@/server/db/search/fill";
import { makeMerchant, payment, payout, type TestMerchant, topup } from "@/server/testing/merchant";
import { linkAuditEntries } from "../audit/link-entries";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { createPayoutIntent } from "../payouts/create";
import { createTopupIntent } from "../topups/create";
import { fillSearch } from "./fill";
import { fillAll } from "./testing/fill-all";

let late: Client;
beforeAll(async () => {
  late = new Client({ connectionString: process.env.DATABASE_URL });
  await late.connect();
});
afterAll(async () => {
  await late.end();
  await disconnect();
});

/** Two intents of each kind. */
async function play({ context }: TestMerchant): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    await createPaymentIntent(context, payment(), withoutIdempotency());
    await createPayoutIntent(context, payout(), withoutIdempotency());
    await createTopupIntent(context, topup(), withoutIdempotency());
  }
}

/** The intents whose terms are not exactly: their reference in small letters, their sums, and of payouts the names. */
async function wrongTerms({ merchantId }: TestMerchant): Promise<unknown[]> {
  return query(
    `WITH expected AS (
       SELECT id, ARRAY['reference ' || lower(merchant_reference), 'amount ' || search_amount(currency, amount)] AS terms
       FROM payment_intent WHERE merchant_id = $1
       UNION ALL
       SELECT id, ARRAY['reference ' || lower(merchant_reference), 'amount ' || search_amount(currency, amount),
                        'name ana souza', 'name souza']
       FROM payout_intent WHERE merchant_id = $1
       UNION ALL
       SELECT id, ARRAY['reference ' || lower(merchant_reference),
                        'amount ' || search_amount(destination_currency, destination_amount),
                        'amount ' || search_amount(source_currency, source_amount)]
       FROM topup_intent WHERE merchant_id = $1
     ),
     filled AS (
       SELECT object_id AS id, array_agg(field || ' ' || term) AS terms FROM search_term WHERE merchant_id = $1 GROUP BY 1
     )
     SELECT id, e.terms, f.terms AS filled FROM expected e FULL JOIN filled f USING (id)
     WHERE e.terms IS NULL OR f.terms IS NULL OR NOT (e.terms @> f.terms AND e.terms <@ f.terms)
        OR cardinality(e.terms) <> cardinality(f.terms)`,
    merchantId,
  );
}

it.each([1, 3, 1_000])("batches of %i links fill the terms of every intent, once", async (batch) => {
  const merchant = await makeMerchant(["BRL", "USDT"]);
  await play(merchant);
  await fillAll(merchant.merchantId, batch);
  expect(await wrongTerms(merchant)).toEqual([]);
  await play(merchant);
  await fillAll(merchant.merchantId, batch);
  expect(await wrongTerms(merchant)).toEqual([]);
  const left = await listStretchesAcrossMerchants("search_mark", 10);
  expect(left.filter(({ merchantId }) => merchantId === merchant.merchantId)).toEqual([]);
});

it("many concurrent workers fill every term, while intents are created", async () => {
  const merchant = await makeMerchant(["BRL", "USDT"]);
  const worker = async () => {
    for (let round = 0; round < 20; round += 1) {
      await linkAuditEntries();
      await fillSearch(2);
    }
  };
  await Promise.all([worker(), worker(), worker(), play(merchant), play(merchant)]);
  await fillAll(merchant.merchantId);
  expect(await wrongTerms(merchant)).toEqual([]);
});

it("a stretch that another worker has filled changes nothing", async () => {
  const merchant = await makeMerchant(["BRL", "USDT"]);
  await play(merchant);
  await linkAuditEntries();
  const mine = (await listStretchesAcrossMerchants("search_mark", 2)).filter(
    ({ merchantId }) => merchantId === merchant.merchantId,
  );
  expect(mine).toHaveLength(1);
  const fillings = await Promise.all([...mine, ...mine, ...mine].map(fillTerms));
  expect(fillings.filter(Boolean)).toHaveLength(1);
  await fillAll(merchant.merchantId);
  expect(await wrongTerms(merchant)).toEqual([]);
});

it("an intent that commits after younger ones were filled is filled too", async () => {
  const merchant = await makeMerchant(["BRL", "USDT"]);
  const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
  await fillAll(merchant.merchantId);
  const values = [merchant.merchantId, intent.id];
  await late.query("BEGIN");
  await late.query(
    `INSERT INTO payment_intent
     SELECT (jsonb_populate_record(p, '{"id": "dord_00000000000000000000000001", "merchant_reference": "late-1",
                                        "revision": 0, "created_at": "2026-01-01T00:00:00Z"}')).*
     FROM payment_intent p WHERE p.merchant_id = $1 AND p.id = $2`,
    values,
  );
  await late.query(
    `INSERT INTO audit_entry (merchant_id, id, environment, actor_type, actor_id, action, object_id, created_at)
     VALUES ($1, 'aud_0', 'test', 'operator', 'test', 'payment_intent.create', 'dord_00000000000000000000000001', now())`,
    [merchant.merchantId],
  );
  await late.query("INSERT INTO audit_pending (merchant_id, entry_id) VALUES ($1, 'aud_0')", [merchant.merchantId]);
  await play(merchant);
  await fillAll(merchant.merchantId);
  expect(await wrongTerms(merchant)).toEqual([]);
  await late.query("COMMIT");
  await fillAll(merchant.merchantId);
  expect(await wrongTerms(merchant)).toEqual([]);
  const [found] = await query<{ count: number }>(
    "SELECT count(*)::int AS count FROM search_term WHERE merchant_id = $1 AND object_id = 'dord_00000000000000000000000001'",
    merchant.merchantId,
  );
  expect(found?.count).toBe(2);
});
