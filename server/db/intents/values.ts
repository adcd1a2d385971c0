// The values of a list's filters that exist, each with its number of rows.
import type { Scope } from "@/server/domain/scope";
import { query } from "../client";
import { conditionsOf, type IntentFilter, type Parameter } from "./conditions";
import type { ListMapping } from "./overview";

export interface CountedValue {
  readonly value: string;
  readonly count: number;
}

/** More than the values of any filter: countries are the most. */
const VALUES_AT_MOST = 300;

/**
 * The statement that steps from each value of the column to the next over its index, and then counts each up to `cap`. A
 * step and a count read no row beyond. The order, which the index has, keeps the planner from looking for a rare value
 * among all rows.
 */
export function countValuesStatement(
  mapping: ListMapping,
  column: string,
  period: Pick<IntentFilter, "createdAfter" | "createdBefore">,
  cap: number,
  parameter: Parameter,
): string {
  const rows = `FROM ${mapping.table} t WHERE t.merchant_id = $1 AND t.environment = $2`;
  return `
    WITH RECURSIVE step AS (
      (SELECT t.${column} AS value ${rows} ORDER BY t.${column} LIMIT 1)
      UNION ALL
      SELECT next.value FROM step CROSS JOIN LATERAL (
        SELECT t.${column} AS value ${rows} AND t.${column} > step.value ORDER BY t.${column} LIMIT 1) next
    )
    SELECT step.value, (SELECT count(*)::int FROM (
      SELECT ${rows} AND t.${column} = step.value${conditionsOf(mapping, period, parameter)}
      ORDER BY t.created_at DESC, t.id DESC LIMIT ${cap}) capped) AS count
    FROM (SELECT value FROM step LIMIT ${VALUES_AT_MOST}) step
    ORDER BY count DESC, value`;
}

/** Every value of a filter, such as `currency`, with its number of rows of the period; counting stops at `cap`. */
export function countValues(
  mapping: ListMapping,
  { merchantId, environment }: Scope,
  filter: string,
  period: Pick<IntentFilter, "createdAfter" | "createdBefore">,
  cap: number,
): Promise<CountedValue[]> {
  const values: unknown[] = [merchantId, environment];
  const column = mapping.filterColumns[filter] ?? filter;
  const statement = countValuesStatement(mapping, column, period, cap, (value) => `$${values.push(value)}`);
  return query<CountedValue>(statement, ...values);
}
