// Lists of intents whose amount is in a range, which no index of the intents serves: their ids come from the search table
// while they are few, and otherwise a page reads a stretch of the list.
import type { ListOrder } from "@/server/domain/list-order";
import type { Scope } from "@/server/domain/scope";
import { amountTerm } from "@/server/domain/search-text";
import { query } from "../client";
import { type PagePosition, withOneStart } from "../list-start";
import { conditionsOf, type IntentFilter, type Parameter, pageClauses } from "./conditions";
import type { ListMapping } from "./overview";

/** Amounts of one currency in minor units, both ends included. */
export interface AmountBounds {
  readonly currency: string;
  readonly from: bigint;
  readonly to: bigint;
}

/**
 * What the audit chain has beyond the mark of the search table: intents of these entries may have no terms yet. One row for
 * each entry, with a null where it created no such intent.
 */
export const FIND_UNFILLED = `
  WITH mark AS MATERIALIZED (
    SELECT coalesce((SELECT last_sequence FROM search_mark WHERE merchant_id = $1), 0) AS last_sequence
  ),
  unfilled AS MATERIALIZED (
    (SELECT l.entry_id FROM mark CROSS JOIN LATERAL (
      SELECT entry_id FROM audit_link WHERE merchant_id = $1 AND sequence > mark.last_sequence ORDER BY sequence LIMIT $3
    ) l)
    UNION ALL
    (SELECT entry_id FROM audit_pending WHERE merchant_id = $1 ORDER BY entry_id LIMIT $3)
  )
  SELECT created.object_id FROM unfilled u LEFT JOIN LATERAL (
    SELECT e.object_id FROM audit_entry e WHERE e.merchant_id = $1 AND e.id = u.entry_id AND e.action = $2 LIMIT 1
  ) created ON true`;

export const FIND_IN_RANGE = `
  SELECT object_id FROM search_term
  WHERE merchant_id = $1 AND environment = $2 AND kind = $3 AND field = 'amount' AND term >= $4 AND term <= $5
  ORDER BY term, rank, object_id LIMIT $6`;

/**
 * Every intent of the kind that may have such an amount, and perhaps others; null if they are more than `cap`. Unfilled
 * ones are read first: one that is filled in between is found twice, not missed.
 */
export async function findInRange(
  { merchantId, environment }: Scope,
  kind: ListMapping["table"],
  { currency, from, to }: AmountBounds,
  cap: number,
): Promise<readonly string[] | null> {
  const unfilled = await query<{ object_id: string | null }>(FIND_UNFILLED, merchantId, `${kind}.create`, cap + 1);
  if (unfilled.length > cap) return null;
  const [lowest, highest] = [from, to].map((amount) => amountTerm({ currency, amount: amount.toString() }));
  const found = await query<{ object_id: string }>(
    FIND_IN_RANGE,
    merchantId,
    environment,
    kind,
    lowest,
    highest,
    cap + 1,
  );
  if (found.length > cap) return null;
  return [...new Set([...unfilled, ...found].flatMap(({ object_id: id }) => id ?? []))];
}

/** What a list needs to know of an intent to count it and to find its place. */
export interface ListedIntent extends PagePosition {
  readonly status: string;
}

/** The statement of `findPassing`; $3 are the ids. */
export function passingStatement(mapping: ListMapping, filter: IntentFilter, parameter: Parameter): string {
  return `SELECT found.id, found.status, found.created_at FROM unnest($3::text[]) AS sought(sought_id)
    CROSS JOIN LATERAL (
      SELECT id, status, created_at FROM ${mapping.table}
      WHERE merchant_id = $1 AND environment = $2 AND id = sought_id${conditionsOf(mapping, filter, parameter)} LIMIT 1
    ) found`;
}

/** Those of the ids that pass the filter, each looked up by its key, in no order. */
export async function findPassing(
  mapping: ListMapping,
  scope: Scope,
  filter: IntentFilter,
  ids: readonly string[],
): Promise<ListedIntent[]> {
  const values: unknown[] = [scope.merchantId, scope.environment, ids];
  const statement = passingStatement(mapping, filter, (value) => `$${values.push(value)}`);
  const rows = await query<{ id: string; status: string; created_at: Date }>(statement, ...values);
  return rows.map(({ id, status, created_at: createdAt }) => ({ id, status, createdAt }));
}

/** The statement of `findStretchEnd`. */
export function stretchEndStatement(
  mapping: ListMapping,
  filter: IntentFilter,
  order: ListOrder,
  after: PagePosition | null,
  length: number,
  parameter: Parameter,
): string {
  const { equals: { currency } = {}, createdAfter, createdBefore } = filter;
  const begun = withOneStart({ equals: { currency }, createdAfter, createdBefore }, after, order);
  const where = conditionsOf(mapping, begun.filter, parameter);
  const { start, orderBy } = pageClauses(order, begun.after, parameter);
  return `SELECT created_at AS "createdAt", id FROM ${mapping.table} WHERE merchant_id = $1 AND environment = $2${where}${start}
    ${orderBy} OFFSET ${parameter(length - 1)} LIMIT 1`;
}

/**
 * The last of the `length` intents of the currency and the period that come after the position, whatever else the filter
 * says; null if there are fewer.
 */
export async function findStretchEnd(
  mapping: ListMapping,
  scope: Scope,
  filter: IntentFilter,
  order: ListOrder,
  after: PagePosition | null,
  length: number,
): Promise<PagePosition | null> {
  const values: unknown[] = [scope.merchantId, scope.environment];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const statement = stretchEndStatement(mapping, filter, order, after, length, parameter);
  const [end] = await query<{ createdAt: Date; id: string }>(statement, ...values);
  return end ?? null;
}
