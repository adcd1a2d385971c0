// Turns a list's filter into SQL conditions (interface §4.4).
import type { ListOrder } from "@/server/domain/list-order";
import type { PagePosition } from "../list-start";
import type { RowMapping } from "./row";

interface AmountRange {
  readonly from?: bigint | undefined;
  readonly to?: bigint | undefined;
}

export interface IntentFilter {
  readonly country?: string | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
  readonly merchantReference?: string | undefined;
  readonly statuses?: readonly string[] | undefined;
  /** Filters of the kind: `currency`, and `payment_method` or `source_type`. */
  readonly equals?: Readonly<Record<string, string | undefined>>;
  /** In minor units of the `currency` of `equals`, both ends included. */
  readonly amount?: AmountRange | undefined;
  /** In an order of `order`, those up to this position. */
  readonly upTo?: PagePosition | undefined;
  readonly order?: ListOrder | undefined;
  /** Payouts only: those at the gate that this member may approve and has not approved yet. */
  readonly decidableBy?: string | undefined;
}

type Mapping = Pick<RowMapping<never, never>, "filterColumns" | "amountColumn">;

/** Takes a value and gives the placeholder that stands for it. */
export type Parameter = (value: unknown) => string;

/** ` AND …` for every filter that is set. */
export function conditionsOf(mapping: Mapping, filter: IntentFilter, parameter: Parameter): string {
  const conditions = [
    filter.country && `country = ${parameter(filter.country)}`,
    filter.createdAfter && `created_at >= ${parameter(filter.createdAfter)}::timestamptz`,
    filter.createdBefore && `created_at < ${parameter(filter.createdBefore)}::timestamptz`,
    filter.merchantReference && `merchant_reference = ${parameter(filter.merchantReference)}`,
    filter.statuses && statusCondition(filter.statuses, parameter),
    ...Object.entries(filter.equals ?? {}).map(
      ([name, value]) => value && `${mapping.filterColumns[name]} = ${parameter(value)}`,
    ),
    filter.amount?.from !== undefined &&
      `${mapping.amountColumn} >= ${parameter(filter.amount.from.toString())}::numeric`,
    filter.amount?.to !== undefined && `${mapping.amountColumn} <= ${parameter(filter.amount.to.toString())}::numeric`,
    filter.upTo && upToCondition(filter.upTo, filter.order ?? "newest_first", parameter),
    filter.decidableBy && decidable(parameter(filter.decidableBy)),
  ].filter(Boolean);
  return conditions.map((condition) => ` AND ${condition}`).join("");
}

/** An index that gives rows newest first gives them oldest first when it is read backwards: one index serves both. */
const ORDERS = {
  newest_first: { comesAfter: "<", by: "created_at DESC, id DESC" },
  oldest_first: { comesAfter: ">", by: "created_at ASC, id ASC" },
} as const satisfies Readonly<Record<ListOrder, object>>;

/** ` AND …` for the rows that come after the position, where there is one, and the ORDER BY that they are read in. */
export function pageClauses(order: ListOrder, after: PagePosition | null, parameter: Parameter) {
  const { comesAfter, by } = ORDERS[order];
  const start = after
    ? ` AND (created_at, id) ${comesAfter} (${parameter(after.createdAt)}::timestamptz, ${parameter(after.id)})`
    : "";
  return { start, orderBy: `ORDER BY ${by}` };
}

function upToCondition({ createdAt, id }: PagePosition, order: ListOrder, parameter: Parameter): string {
  const comparison = order === "newest_first" ? ">=" : "<=";
  return `(created_at, id) ${comparison} (${parameter(createdAt)}::timestamptz, ${parameter(id)})`;
}

/** One status is compared as such: an index gives its rows in the list's order, which it cannot for any of several. */
function statusCondition(statuses: readonly string[], parameter: Parameter): string {
  const [only] = statuses;
  return statuses.length === 1 ? `status = ${parameter(only)}` : `status = ANY(${parameter(statuses)}::text[])`;
}

/**
 * SQL that is true for a row of `payout_intent` at the gate that the member, an SQL expression, may approve and has not
 * approved yet.
 */
export function decidable(member: string): string {
  return `status = 'requires_approval' AND NOT is_maker(payout_intent, ${member})
    AND created_at >= (SELECT CASE payout_intent.environment WHEN 'live' THEN m.authority_live_from
                                                             ELSE m.authority_test_from END
                       FROM member m WHERE m.merchant_id = payout_intent.merchant_id AND m.id = ${member})
    AND NOT EXISTS (SELECT FROM approval a WHERE a.merchant_id = payout_intent.merchant_id
                    AND a.payout_id = payout_intent.id AND a.member_id = ${member})`;
}
