// Counts shown beside a list: rows per status, and newer rows.
import type { Scope } from "@/server/domain/scope";
import { query } from "../client";
import type { PagePosition } from "../list-start";
import { conditionsOf, type IntentFilter } from "./conditions";
import type { RowMapping } from "./row";

export type ListMapping = Pick<RowMapping<never, never>, "table" | "filterColumns" | "amountColumn">;

/** Status → number of intents that pass the filter, its own statuses left aside; counting stops at `cap`. */
export async function countByStatus(
  mapping: ListMapping,
  scope: Scope,
  filter: IntentFilter,
  statuses: readonly string[],
  cap: number,
): Promise<Map<string, number>> {
  const values: unknown[] = [scope.merchantId, scope.environment, statuses, cap];
  const where = conditionsOf(mapping, { ...filter, statuses: undefined }, (value) => `$${values.push(value)}`);
  const rows = await query<{ status: string; count: number }>(
    `SELECT s.status, (SELECT count(*)::int FROM (
       SELECT FROM ${mapping.table} WHERE merchant_id = $1 AND environment = $2
         AND ${mapping.table}.status = s.status${where} LIMIT $4::int) capped) AS count
     FROM unnest($3::text[]) AS s(status)`,
    ...values,
  );
  return new Map(rows.map(({ status, count }) => [status, count]));
}

/** How many intents that pass the filter were created after the position; counting stops at `cap`. */
export async function countNewer(
  mapping: ListMapping,
  scope: Scope,
  filter: IntentFilter,
  than: PagePosition,
  cap: number,
): Promise<number> {
  const values: unknown[] = [scope.merchantId, scope.environment, than.createdAt, than.id, cap];
  const where = conditionsOf(mapping, filter, (value) => `$${values.push(value)}`);
  const [row] = await query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (
       SELECT FROM ${mapping.table} WHERE merchant_id = $1 AND environment = $2
         AND (created_at, id) > ($3::timestamptz, $4)${where} LIMIT $5::int) capped`,
    ...values,
  );
  return row?.count ?? 0;
}

/** Per currency, how many intents pass the filter and their sum in minor units; of `cap` of them at most. */
export async function sumByCurrency(
  mapping: ListMapping,
  scope: Scope,
  filter: IntentFilter,
  cap: number,
): Promise<{ readonly currency: string; readonly count: number; readonly amount: bigint }[]> {
  const values: unknown[] = [scope.merchantId, scope.environment, cap];
  const where = conditionsOf(mapping, filter, (value) => `$${values.push(value)}`);
  const rows = await query<{ currency: string; count: number; amount: string }>(
    `SELECT currency, count(*)::int AS count, sum(amount)::text AS amount FROM (
       SELECT currency, amount FROM ${mapping.table} WHERE merchant_id = $1 AND environment = $2${where}
       LIMIT $3::int) capped
     GROUP BY currency ORDER BY currency`,
    ...values,
  );
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
}
