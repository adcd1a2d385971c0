// Proves that rows from before the log covered money are accepted, and that no new row can pass for one.
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { disconnect } from "@/server/db/client";
import { approvedPayout, makeMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { createApiKey } from "../api-keys/create";
import { withoutIdempotency } from "../idempotency/completion";
import { operatorContext } from "../merchants/operator";
import { createPaymentIntent } from "../payments/create";
import { simulate } from "../sandbox/simulate";
import { linkAuditEntries } from "./link-entries";
import { COVERED_TABLES, openTamperer, type Tamperer } from "./testing/tampering";
import { verifyAuditChains } from "./verify-chains";

let merchant: TestMerchant;
let tamperer: Tamperer | undefined;

/** Makes the rows as an older release wrote them: ids without entries, and entries with status and revision only. */
const AS_BEFORE = [
  "UPDATE ledger_entry SET transaction_id = 'ltx_' || left(md5(transaction_id), 26)",
  "UPDATE ledger_transaction SET id = 'ltx_' || left(md5(id), 26)",
  `UPDATE audit_entry SET after = after - '{facts,ledger,approval,provider,approvals_given}'::text[]
   WHERE after->'ledger' IS NOT NULL`,
];

beforeAll(async () => {
  merchant = await makeMerchant();
  const { id } = await approvedPayout(merchant);
  await simulate(merchant.context, id, "settled");
  await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
  const before = await openTamperer([]);
  await before.tamper(AS_BEFORE);
  await before.close();
  await linkAuditEntries();
});
afterAll(async () => {
  await tamperer?.close();
  await disconnect();
});

const migration = (name: string) => readFile(`prisma/migrations/${name}/migration.sql`, "utf8");
const fault = async () => (await verifyAuditChains(merchant.merchantId))[0]?.broken;

it("the split of the clearing accounts has its audit entries", async () => {
  const split = await openTamperer([]);
  await split.tamper(
    [
      `INSERT INTO ledger_transaction (merchant_id, id, environment, reason, unique_key, created_at)
       VALUES ($1, 'ltx_0' || substr(md5('split'), 1, 25), 'test', 'clearing_split', 'clearing_split:BRL', date_trunc('milliseconds', now()))`,
      `INSERT INTO ledger_entry (merchant_id, environment, currency, kind, sequence, transaction_id, amount)
       SELECT $1, 'test', 'BRL', kind, 900000, 'ltx_0' || substr(md5('split'), 1, 25), amount
       FROM (VALUES ('bank', 5), ('suspense', -5)) AS leg(kind, amount)`,
    ],
    merchant.merchantId,
  );
  expect(await fault()).toMatchObject({ fault: "row_unaudited" });
  await split.tamper([await migration("20261122140100_audit_clearing_split")]);
  expect(await fault()).toMatchObject({ fault: "row_unaudited" });
  await split.tamper([await migration("20261122210200_anchor_old_ledger")]);
  await split.close();
  await linkAuditEntries();
  expect(await fault()).toBeNull();
});

it("the steps of a top-up's totals so far get their audit entries", async () => {
  const before = await openTamperer([]);
  await before.tamper(
    [
      `INSERT INTO topup_total (merchant_id, intent_id, ordinal, environment, currency, base_amount, reported_amount,
                                seen_amount, created_at)
       VALUES ($1, 'tuin_before', 0, 'test', 'USDT', 0, 5000000, 5000000, date_trunc('milliseconds', now()))`,
    ],
    merchant.merchantId,
  );
  expect(await fault()).toMatchObject({ fault: "row_unaudited", object: "topup_total tuin_before 0" });
  await before.tamper([await migration("20261122210300_audit_topup_totals")]);
  await before.close();
  await linkAuditEntries();
  expect(await fault()).toBeNull();
});

it("rows from before the upgrade, and their later changes, are accepted", async () => {
  expect(await fault()).toBeNull();
  const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
  await simulate(merchant.context, intent.id, "succeeded");
  await linkAuditEntries();
  expect(await fault()).toBeNull();
  tamperer = await openTamperer(COVERED_TABLES);
});

it.each([
  [
    "a new transaction, whenever it claims to be from",
    "row_unaudited",
    `
    INSERT INTO ledger_transaction (merchant_id, id, environment, reason, unique_key, intent_id, created_at)
    SELECT merchant_id, 'ltx_forged', environment, reason, 'forged', intent_id, created_at - interval '1 second'
    FROM ledger_transaction WHERE reason = 'payout_hold'`,
  ],
  [
    "a new transaction beside a covered commit",
    "row_unaudited",
    `
    INSERT INTO ledger_transaction (merchant_id, id, environment, reason, unique_key, intent_id, created_at)
    SELECT merchant_id, 'ltx_forged', environment, reason, 'forged', intent_id, created_at
    FROM ledger_transaction WHERE reason = 'payment_credit'`,
  ],
  [
    "a new transaction at the time of an old entry about the same payout",
    "row_unaudited",
    `
    WITH forged AS (
      INSERT INTO ledger_transaction (merchant_id, id, environment, reason, unique_key, intent_id, created_at)
      SELECT merchant_id, 'ltx_forged', environment, reason, 'forged', intent_id, created_at
      FROM ledger_transaction WHERE reason = 'payout_hold' RETURNING merchant_id, id, environment)
    INSERT INTO ledger_entry (merchant_id, environment, currency, kind, sequence, transaction_id, amount)
    SELECT merchant_id, environment, 'BRL', kind, 900000, id, amount
    FROM forged, (VALUES ('available', 500), ('funding', -500)) AS leg(kind, amount)`,
  ],
  [
    "an old transaction's other sum",
    "row_altered",
    `
    UPDATE ledger_entry e SET amount = amount * 2 FROM ledger_transaction t
    WHERE t.reason = 'payout_hold' AND e.merchant_id = t.merchant_id AND e.transaction_id = t.id`,
  ],
  [
    "an old transaction that is gone",
    "row_missing",
    `
    WITH gone AS (DELETE FROM ledger_transaction WHERE reason = 'payout_hold' RETURNING merchant_id, id)
    DELETE FROM ledger_entry e USING gone WHERE e.merchant_id = gone.merchant_id AND e.transaction_id = gone.id`,
  ],
  [
    "an old transaction in place of another",
    "row_altered",
    `
    UPDATE ledger_transaction SET unique_key = unique_key || '.' WHERE reason = 'funding'`,
  ],
  [
    "a covered transaction that is given an old one's id",
    "row_unaudited",
    `
    UPDATE ledger_transaction SET id = 'ltx_' || left(md5(id), 26) WHERE reason = 'payment_credit'`,
  ],
  [
    "a covered payment's other amount",
    "row_altered",
    "UPDATE payment_intent SET amount = 1 WHERE status = 'succeeded'",
  ],
  [
    "an older payout's other status",
    "row_altered",
    "UPDATE payout_intent SET status = 'failed', failure_code = 'provider_declined'",
  ],
])("%s is found", async (_, expected, sql) => {
  await tamperer?.tamper([sql]);
  const found = await fault();
  await tamperer?.restore();
  expect(found?.fault).toBe(expected);
});

it("without rows from before the upgrade, no entry makes a new transaction old", async () => {
  const { merchantId } = await makeMerchant();
  await createApiKey(operatorContext(merchantId, "test"), "another");
  await linkAuditEntries();
  const forger = await openTamperer(COVERED_TABLES);
  await forger.tamper(
    [
      `WITH forged AS (
         INSERT INTO ledger_transaction (merchant_id, id, environment, reason, unique_key, intent_id, created_at)
         SELECT merchant_id, 'ltx_forged', environment, 'funding', 'forged', object_id, created_at
         FROM audit_entry WHERE merchant_id = $1 AND action = 'api_key.create' RETURNING merchant_id, id, environment)
       INSERT INTO ledger_entry (merchant_id, environment, currency, kind, sequence, transaction_id, amount)
       SELECT merchant_id, environment, 'BRL', kind, 900000, id, amount
       FROM forged, (VALUES ('available', 500), ('funding', -500)) AS leg(kind, amount)`,
    ],
    merchantId,
  );
  const [report] = await verifyAuditChains(merchantId);
  await forger.restore();
  await forger.close();
  expect(report?.broken).toMatchObject({ fault: "row_unaudited", object: "ledger_transaction ltx_forged" });
});
