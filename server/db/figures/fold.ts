// Adding up what has ended since, once: the figures and the mark up to which they go move in one statement.
import type { ChainStretch } from "../audit/stretches";
import { query } from "../client";
import { endsAmong } from "./ends";

/**
 * Whoever moves the mark from where it was read adds up what lies between: of two that read the same, one finds it moved.
 * Links are numbered without a gap in the order in which they are committed, so nothing can appear below the mark.
 */
const FOLD = `
WITH moved AS (
  INSERT INTO figure_mark (merchant_id, last_sequence) VALUES ($1, $3::bigint)
  ON CONFLICT (merchant_id) DO UPDATE SET last_sequence = EXCLUDED.last_sequence
    WHERE figure_mark.last_sequence = $2::bigint
  RETURNING merchant_id
),
named AS MATERIALIZED (
  SELECT l.entry_id FROM moved JOIN audit_link l ON l.merchant_id = moved.merchant_id
  WHERE l.sequence > $2::bigint AND l.sequence <= $3::bigint
),
ended AS MATERIALIZED (${endsAmong("named")}),
folded AS (
  INSERT INTO intent_figure AS f (merchant_id, environment, minutes, starts_at, kind, currency, status, failure_code, count,
                                  amount)
  SELECT $1, environment, g.minutes, date_bin(g.minutes * interval '1 minute', created_at, timestamptz 'epoch'), kind,
         currency, status, failure_code, count(*), sum(amount)
  FROM ended CROSS JOIN (VALUES (15), (60)) AS g(minutes)
  GROUP BY 2, 3, 4, 5, 6, 7, 8
  ON CONFLICT (merchant_id, environment, minutes, starts_at, kind, currency, status, failure_code)
  DO UPDATE SET count = f.count + EXCLUDED.count, amount = f.amount + EXCLUDED.amount
)
SELECT FROM moved`;

/** Adds a stretch to the merchant's figures; false when another worker was faster. */
export async function foldEnds({ merchantId, after, to }: ChainStretch): Promise<boolean> {
  return (await query(FOLD, merchantId, after, to)).length > 0;
}
