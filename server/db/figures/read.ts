// Reading how intents ended, day by day: from the figures that are added up, and from what is not in them yet.
import type { DayEnds, FigureKind } from "@/server/domain/figures";
import type { Scope } from "@/server/domain/scope";
import { query } from "../client";
import { endsAmong } from "./ends";

const HOUR_MS = 60 * 60 * 1_000;

export interface EndsFound {
  readonly ends: readonly (Omit<DayEnds, "day"> & {
    /** The place of its day: 0 for the first. */
    readonly dayIndex: number;
  })[];
  /** True if the worker is so far behind that some of the newest entries were not read. */
  readonly isBehind: boolean;
}

/**
 * Of one snapshot, in which an end is either added up, or named by a link above the mark, or waits for its link. `$4` are
 * the days' first instants and the last one's end, `$3` the hours that one of them divides: these are read by quarters.
 * The mark is read first: under row-level security the planner takes a sub-select within an expression for no condition of
 * the index, and would read all links.
 */
export const ENDS = `
  WITH mark AS MATERIALIZED (
    SELECT coalesce((SELECT last_sequence FROM figure_mark WHERE merchant_id = $1), 0) AS last_sequence
  ),
  named AS MATERIALIZED (
    SELECT entry_id FROM (
      (SELECT l.entry_id FROM mark CROSS JOIN LATERAL (
         SELECT entry_id FROM audit_link WHERE merchant_id = $1 AND sequence > mark.last_sequence
         ORDER BY sequence LIMIT $5::int) l)
      UNION ALL
      (SELECT entry_id FROM audit_pending WHERE merchant_id = $1 ORDER BY entry_id LIMIT $5::int)
    ) unfolded
    LIMIT $5::int
  ),
  ended AS MATERIALIZED (${endsAmong("named")}),
  counted AS (
    SELECT starts_at AS at, kind, currency, status, failure_code, count, amount FROM intent_figure
    WHERE merchant_id = $1 AND environment = $2 AND minutes = 60 AND starts_at <> ALL ($3::timestamptz[])
      AND starts_at >= ($4::timestamptz[])[1] AND starts_at < ($4::timestamptz[])[cardinality($4::timestamptz[])]
    UNION ALL
    SELECT starts_at, kind, currency, status, failure_code, count, amount FROM intent_figure
    WHERE merchant_id = $1 AND environment = $2 AND minutes = 15
      AND starts_at = ANY (ARRAY(
        SELECT cut + quarter * interval '15 minutes' FROM unnest($3::timestamptz[]) cut, generate_series(0, 3) quarter))
      AND starts_at >= ($4::timestamptz[])[1] AND starts_at < ($4::timestamptz[])[cardinality($4::timestamptz[])]
    UNION ALL
    SELECT created_at, kind, currency, status, failure_code, 1, amount FROM ended
    WHERE environment = $2
      AND created_at >= ($4::timestamptz[])[1] AND created_at < ($4::timestamptz[])[cardinality($4::timestamptz[])]
  ),
  added AS (
    SELECT width_bucket(at, $4::timestamptz[]) - 1 AS day, kind, status, nullif(failure_code, '') AS failure_code, currency,
           sum(count)::float8 AS count, sum(amount)::text AS amount
    FROM counted GROUP BY 1, 2, 3, 4, 5
  )
  SELECT named.size, added.* FROM (SELECT count(*)::int AS size FROM named) named LEFT JOIN added ON true`;

interface Row {
  readonly size: number;
  /** Null, as the rest, in the only row of an answer without any end. */
  readonly day: number | null;
  readonly kind: FigureKind;
  readonly status: string;
  readonly failure_code: string | null;
  readonly currency: string;
  readonly count: number;
  readonly amount: string;
}

/**
 * How the scope's payments and payouts have ended on days that begin at `starts`, the last of which ends the last day.
 * Reads at most `most` audit entries that are not added up yet.
 */
export async function findEnds(scope: Scope, starts: readonly Date[], most: number): Promise<EndsFound> {
  const bounds = starts.map((at) => at.toISOString());
  const divided = starts.map((at) => at.getTime()).filter((at) => at % HOUR_MS !== 0);
  const cut = divided.map((at) => new Date(at - (at % HOUR_MS)).toISOString());
  const rows = await query<Row>(ENDS, scope.merchantId, scope.environment, cut, bounds, most + 1);
  return {
    isBehind: (rows[0]?.size ?? 0) > most,
    ends: rows.flatMap(({ day, kind, status, failure_code: failureCode, currency, count, amount }) =>
      day === null ? [] : [{ dayIndex: day, kind, status, failureCode, currency, count, amount: BigInt(amount) }],
    ),
  };
}

/** Whether the scope has any payment. */
export async function hasPayments({ merchantId, environment }: Scope): Promise<boolean> {
  const sql = "SELECT FROM payment_intent WHERE merchant_id = $1 AND environment = $2 LIMIT 1";
  return (await query(sql, merchantId, environment)).length > 0;
}
