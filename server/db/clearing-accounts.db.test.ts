import { readFile } from "node:fs/promises";
import { Client } from "pg";
import { expect, it } from "vitest";
import { query } from "@/server/db/client";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { checkInvariants } from "@/server/services/invariants/check";
import { createPaymentIntent } from "@/server/services/payments/create";
import { simulate } from "@/server/services/sandbox/simulate";
import { approvedPayout, makeMerchant, payment, type TestMerchant } from "@/server/testing/merchant";

const MIGRATION = new URL("../../prisma/migrations/20261122095000_clearing_accounts/migration.sql", import.meta.url);

async function clearingBalances({ merchantId }: TestMerchant): Promise<Record<string, string>> {
  const rows = await query<{ kind: string; balance: string }>(
    `SELECT kind, balance::text FROM ledger_account
     WHERE merchant_id = $1 AND environment = 'test' AND currency = 'BRL' AND starts_with(kind, 'provider_clearing')`,
    merchantId,
  );
  return Object.fromEntries(rows.map(({ kind, balance }) => [kind, balance]));
}

/** Runs statements in one transaction, as a superuser without triggers where `isUnguarded`. */
async function run(statements: readonly string[], isUnguarded: boolean): Promise<void> {
  const client = new Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  try {
    await client.query("BEGIN");
    if (isUnguarded) await client.query("SET LOCAL session_replication_role = replica");
    for (const statement of statements) await client.query(statement);
    await client.query("COMMIT");
  } finally {
    await client.end();
  }
}

it("money that moves through a provider is in that provider's clearing account, opened when first used", async () => {
  const merchant = await makeMerchant();
  expect(await clearingBalances(merchant)).toEqual({});
  const { intent } = await createPaymentIntent(merchant.context, payment({ amount: "1050" }), withoutIdempotency());
  await simulate(merchant.context, intent.id, "succeeded");
  expect(await clearingBalances(merchant)).toEqual({ "provider_clearing:sandbox": "-1050" });
});

it("the migration moves an undivided account to its providers and keeps every balance", async () => {
  const merchant = await makeMerchant();
  for (const amount of ["1050", "2000"]) {
    const { intent } = await createPaymentIntent(merchant.context, payment({ amount }), withoutIdempotency());
    await simulate(merchant.context, intent.id, "succeeded");
  }
  const { id } = await approvedPayout(merchant, { amount: "500" });
  await simulate(merchant.context, id, "settled");
  const undivided = (table: string) =>
    `UPDATE ${table} SET kind = 'provider_clearing' WHERE kind = 'provider_clearing:sandbox'`;
  await run([undivided("ledger_account"), undivided("ledger_entry")], true);
  expect(await clearingBalances(merchant)).toEqual({ provider_clearing: "-2550" });

  await run([await readFile(MIGRATION, "utf8")], false);
  expect(await clearingBalances(merchant)).toEqual({ provider_clearing: "0", "provider_clearing:sandbox": "-2550" });
  const { checked } = await checkInvariants();
  expect(checked.filter(({ violations }) => violations.length > 0)).toEqual([]);
});
