import { randomUUID } from "node:crypto";
import { Client, Pool } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { printPrismaSql, readCatalogue } from "./testing/schema-drift";

/** What the migrations add and schema.prisma cannot say, or says nothing of on purpose. */
const ADDED_BY_HAND = [
  "api_log_by_object",
  "approval_payout_fkey",
  "approval_policy_one_active",
  "approval_policy_one_proposed",
  "authority_notice_due",
  "delivery_attempt_by_endpoint",
  "delivery_attempt_delivery_fkey",
  "delivery_due",
  "delivery_endpoint_fkey",
  "delivery_event_fkey",
  "exception_open",
  "exception_open_of_merchant",
  "exception_open_of_nobody",
  "exception_open_of_owner",
  "idempotency_seal_key_fkey",
  "ledger_entry_account_fkey",
  "ledger_entry_transaction_fkey",
  "ledger_transaction_movement_ordinal_key",
  "manual_resolution_one_confirmed",
  "manual_resolution_one_proposed",
  "merchant_move_open",
  "notification_due",
  "notification_message",
  "notification_registration_fkey",
  "notification_registration_member_fkey",
  "payment_intent_dispatch_reference_key",
  "payment_intent_due",
  "payment_intent_due_in_test",
  "payment_intent_due_while_processing",
  "payout_intent_by_account",
  "payout_intent_by_batch",
  "payout_intent_dispatch_reference_key",
  "payout_intent_due",
  "payout_intent_due_in_test",
  "payout_intent_paid_recipient",
  "payout_recipient_present",
  "provider_attempt_by_provider_reference",
  "provider_attempt_with_account",
  "provider_callback_due",
  "provider_callback_handed_over",
  "provider_callback_unapplied",
  "role_grant_one_proposed",
  "settlement_file_uploader_fkey",
  "settlement_line_file_fkey",
  "settlement_line_transaction_fkey",
  "settlement_line_transaction_key",
  "suspense_refund_due",
  "suspense_refund_due_in_test",
  "suspense_refund_one_per_fact",
  "suspense_refund_one_per_reference",
  "topup_intent_dispatch_reference_key",
  "topup_intent_due",
  "topup_intent_due_in_test",
  "topup_intent_due_while_processing",
  "topup_policy_proposal_one_proposed",
  "webhook_endpoint_failing",
  "webhook_endpoint_merchant_fkey",
  "webhook_endpoint_slot_key",
];

const migratedUrl = process.env.DATABASE_URL ?? "";
const scratchName = `schema_drift_${randomUUID().replaceAll("-", "")}`;
let pool: Pool;
let scratch: Client;

beforeAll(async () => {
  pool = new Pool({ connectionString: migratedUrl, max: 1 });
  await pool.query(`CREATE DATABASE ${scratchName} TEMPLATE template0`);
  const url = new URL(migratedUrl);
  url.pathname = `/${scratchName}`;
  scratch = new Client({ connectionString: url.href });
  await scratch.connect();
  await scratch.query(await printPrismaSql(pool));
});

afterAll(async () => {
  await scratch.end();
  await pool.query(`DROP DATABASE ${scratchName}`);
  await pool.end();
});

async function readMigrated(): Promise<ReadonlyMap<string, string>> {
  const client = new Client({ connectionString: migratedUrl });
  await client.connect();
  try {
    return await readCatalogue(client);
  } finally {
    await client.end();
  }
}

it("the migrations make what schema.prisma describes, and beyond it only what is listed here", async () => {
  const described = await readCatalogue(scratch);
  const migrated = new Map(await readMigrated());
  expect(described.size).toBeGreaterThan(100);

  const added = [...migrated.keys()].filter((name) => !described.has(name)).sort();
  expect(added).toEqual(ADDED_BY_HAND);
  for (const name of added) migrated.delete(name);
  expect(Object.fromEntries(migrated)).toEqual(Object.fromEntries(described));
});

it("the comparison sees a change of a type, a nullability, a default, a key", async () => {
  const before = await readCatalogue(scratch);
  await scratch.query("ALTER TABLE payment_intent ALTER amount TYPE numeric(20, 0), ALTER country DROP NOT NULL");
  await scratch.query("ALTER TABLE topup_terms ALTER fee_mode SET DEFAULT 'added'");
  await scratch.query("DROP INDEX event_merchant_id_intent_id_key");
  const after = await readCatalogue(scratch);
  const differing = [...before].filter(([name, definition]) => after.get(name) !== definition).map(([name]) => name);
  expect(differing.sort()).toEqual([
    "event_merchant_id_intent_id_key",
    "payment_intent.amount",
    "payment_intent.country",
    "topup_terms.fee_mode",
  ]);
});
