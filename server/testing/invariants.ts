// What tests check of the whole database after they wrote to it.
import { query } from "@/server/db/client";
import { checkInvariantsAcrossMerchants } from "@/server/db/invariants/check";

/** These check that a worker keeps up; a slow test without a worker would seem to break them. */
const OF_A_WORKER = ["no_intent_is_overdue", "no_refund_is_overdue", "no_audit_entry_waits_long"];

/** To be excepted by tests whose provider gives every intent the same reference, as no real provider does. */
export const ONE_REFERENCE_FOR_ALL = "provider_reference_names_one_intent";

/** As requireInvariants, without the named invariants, which the rows of a test break on purpose. Throws for an unknown name. */
export async function requireInvariantsExcept(...names: readonly string[]): Promise<void> {
  const checked = await checkInvariantsAcrossMerchants();
  const unknown = names.filter((name) => !checked.some((invariant) => invariant.name === name));
  if (unknown.length > 0) throw new Error(`unknown invariants: ${unknown.join(", ")}`);
  const skipped = [...OF_A_WORKER, ...names];
  const broken = checked.filter(({ name, rows }) => rows > 0 && !skipped.includes(name));
  if (broken.length > 0) throw new Error(`broken: ${JSON.stringify(broken, null, 2)}`);
}

/** Throws with every broken invariant and its first rows; skips those that need a worker. Call it after each test that writes. */
export function requireInvariants(): Promise<void> {
  return requireInvariantsExcept();
}

/** Counts the rows of a table, optionally of one merchant. */
export async function countRows(table: string, merchantId?: string): Promise<number> {
  const where = merchantId === undefined ? "" : "WHERE merchant_id = $1";
  const values = merchantId === undefined ? [] : [merchantId];
  const [row] = await query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table} ${where}`, ...values);
  return row?.count ?? 0;
}
