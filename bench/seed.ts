// Seeds payments: copies of one that Sluice created, with distinct values in some columns, in one statement.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "@/e2e/rest/database";
import { PROJECT_ROOT } from "@/e2e/support/service-process";

const suffix = (n: string) => `lpad(to_hex(2000000000 - ${n}), 16, '0') || lpad(to_hex(${n}), 10, '0')`;

/** SQL for the id of the n-th payment, counted from the newest; `n` is SQL for an integer. */
export function seededId(n: string): string {
  return `'dord_' || ${suffix(n)}`;
}

/** The columns in which seeded payments differ. All others are copied, so a new column needs no change here. */
const CHANGES: Readonly<Record<string, string>> = {
  merchant_id: "v.merchant_id",
  id: seededId("n"),
  dispatch_reference: `'dord_00000000_' || ${suffix("n")}`,
  merchant_reference: "'seed-' || n",
  status: "v.status",
  currency: "CASE WHEN v.is_mexican THEN 'MXN' ELSE 'BRL' END",
  country: "CASE WHEN v.is_mexican THEN 'MX' ELSE 'BR' END",
  payment_method: "CASE WHEN v.is_mexican THEN 'MX_SPEI' ELSE 'BR_PIX' END",
  next_action: "CASE WHEN v.status = 'requires_action' THEN s.next_action END",
  failure_code: "CASE WHEN v.status = 'failed' THEN 'provider_declined' END",
  due_at: "CASE WHEN v.status = 'requires_action' THEN now() + interval '1 year' END",
  created_at: "v.at",
  updated_at: "v.at",
};

/** Adds this number of payments to a merchant that has none of them yet. */
export async function seedPayments(
  database: Database,
  sampleId: string,
  merchantId: string,
  rows: number,
): Promise<void> {
  const found = await database.query<{ name: string }>(
    "SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = 'payment_intent'",
  );
  const names = found.map(({ name }) => name);
  const values = names.map((name) => CHANGES[name] ?? `s.${name}`);
  const sql = readFileSync(join(PROJECT_ROOT, "bench/sql/seed.sql"), "utf8")
    .replace("/* columns */", names.join(", "))
    .replace("/* values */", values.join(", "));
  await database.query(sql, sampleId, merchantId, rows);
  await database.query("VACUUM ANALYZE payment_intent");
}
