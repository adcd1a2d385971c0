// Owns reading how intents ended, day by day: of the newest events of a time, so that no merchant is too large.
import type { DayEnds, FigureKind } from "@/server/domain/figures";
import type { Scope } from "@/server/domain/scope";
import { query } from "./client";

export interface EndsFound {
  readonly ends: readonly DayEnds[];
  /** The oldest instant that was looked at, when there is more in the time than is looked at; null when all was. */
  readonly cutAt: Date | null;
}

/** Per day from an index range of events, each joined to its intent by key. */
const ENDS = `
  WITH looked AS MATERIALIZED (
    SELECT type, status, failure_code, intent_id, created_at FROM event
    WHERE merchant_id = $1 AND environment = $2 AND created_at >= $3::timestamptz
    ORDER BY created_at DESC, id DESC LIMIT $4
  )
  SELECT to_char(l.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, split_part(l.type, '.', 1) AS kind, l.status,
         l.failure_code, i.currency, count(*)::int AS count, sum(i.amount)::text AS amount, min(l.created_at) AS oldest
  FROM looked l CROSS JOIN LATERAL (
    SELECT currency, amount FROM payment_intent p
    WHERE p.merchant_id = $1 AND p.id = l.intent_id AND l.type LIKE 'payment_intent.%'
    UNION ALL
    SELECT currency, amount FROM payout_intent p
    WHERE p.merchant_id = $1 AND p.id = l.intent_id AND l.type LIKE 'payout_intent.%'
  ) i
  GROUP BY 1, 2, 3, 4, 5`;

interface Row {
  readonly day: string;
  readonly kind: FigureKind;
  readonly status: string;
  readonly failure_code: string | null;
  readonly currency: string;
  readonly count: number;
  readonly amount: string;
  readonly oldest: Date;
}

/** How the scope's payments and payouts have ended since `from`: of the newest `most` of them. */
export async function findEnds(scope: Scope, from: Date, most: number): Promise<EndsFound> {
  const rows = await query<Row>(ENDS, scope.merchantId, scope.environment, from, most);
  const looked = rows.reduce((sum, { count }) => sum + count, 0);
  const oldest = rows.reduce<Date | null>((found, row) => (found && found < row.oldest ? found : row.oldest), null);
  return {
    cutAt: looked >= most ? oldest : null,
    ends: rows.map(({ failure_code: failureCode, amount, oldest: _, ...row }) => ({
      ...row,
      failureCode,
      amount: BigInt(amount),
    })),
  };
}

/** Whether the scope has any payment. */
export async function hasPayments({ merchantId, environment }: Scope): Promise<boolean> {
  const sql = "SELECT FROM payment_intent WHERE merchant_id = $1 AND environment = $2 LIMIT 1";
  return (await query(sql, merchantId, environment)).length > 0;
}
