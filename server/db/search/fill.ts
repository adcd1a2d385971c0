// Filling the search table behind the audit chains: the terms and the mark up to which they go move in one statement.
import type { ChainStretch } from "../audit/stretches";
import { query } from "../client";

/** A recipient is found by each word of its name, up to this many. */
const WORDS = 5;

/**
 * The terms of the intents that the entries `named` (entry_id) created. Each step is a look-up by key, as in the figures.
 * A top-up is found by the sum that the merchant gets and by the sum that the payer sends.
 */
const TERMS = `
  SELECT created.kind, intent.environment, intent.created_at, created.object_id, terms.field, terms.term
  FROM named n
  CROSS JOIN LATERAL (
    SELECT e.object_id, split_part(e.action, '.', 1) AS kind FROM audit_entry e
    WHERE e.merchant_id = $1 AND e.id = n.entry_id
      AND e.action IN ('payment_intent.create', 'payout_intent.create', 'topup_intent.create') LIMIT 1
  ) created
  CROSS JOIN LATERAL (
    (SELECT p.environment, p.created_at, p.merchant_reference AS reference, NULL AS name,
            ARRAY[search_amount(p.currency, p.amount)] AS amounts
     FROM payment_intent p
     WHERE created.kind = 'payment_intent' AND p.merchant_id = $1 AND p.id = created.object_id LIMIT 1)
    UNION ALL
    (SELECT p.environment, p.created_at, p.merchant_reference, p.recipient_holder_name,
            ARRAY[search_amount(p.currency, p.amount)]
     FROM payout_intent p
     WHERE created.kind = 'payout_intent' AND p.merchant_id = $1 AND p.id = created.object_id LIMIT 1)
    UNION ALL
    (SELECT t.environment, t.created_at, t.merchant_reference, NULL,
            ARRAY[search_amount(t.destination_currency, t.destination_amount),
                  search_amount(t.source_currency, t.source_amount)]
     FROM topup_intent t
     WHERE created.kind = 'topup_intent' AND t.merchant_id = $1 AND t.id = created.object_id LIMIT 1)
  ) intent
  CROSS JOIN LATERAL (
    SELECT 'reference' AS field, search_folded(intent.reference) AS term
    UNION ALL
    SELECT 'name', array_to_string(word.all[word.n:], ' ')
    FROM (SELECT words.all, generate_series(1, least(cardinality(words.all), ${WORDS})) AS n
          FROM (SELECT string_to_array(search_folded(intent.name), ' ') AS all) words) word
    UNION ALL
    SELECT 'amount', amount FROM unnest(intent.amounts) AS amount
  ) terms
  WHERE terms.term <> ''`;

/**
 * Whoever moves the mark from where it was read fills what lies between: of two that read the same, one finds it moved.
 * Links are numbered without a gap in the order in which they are committed, so nothing can appear below the mark.
 */
const FILL = `
WITH moved AS (
  INSERT INTO search_mark (merchant_id, last_sequence) VALUES ($1, $3::bigint)
  ON CONFLICT (merchant_id) DO UPDATE SET last_sequence = EXCLUDED.last_sequence
    WHERE search_mark.last_sequence = $2::bigint
  RETURNING merchant_id
),
named AS MATERIALIZED (
  SELECT l.entry_id FROM moved JOIN audit_link l ON l.merchant_id = moved.merchant_id
  WHERE l.sequence > $2::bigint AND l.sequence <= $3::bigint
),
filled AS (
  INSERT INTO search_term (merchant_id, environment, kind, field, term, rank, object_id)
  SELECT $1, environment, kind, field, term, -trunc(extract(epoch FROM created_at) * 1000)::bigint, object_id
  FROM (${TERMS}) t
  ON CONFLICT DO NOTHING
)
SELECT FROM moved`;

/** Fills a stretch; false if another worker was faster. */
export async function fillTerms({ merchantId, after, to }: ChainStretch): Promise<boolean> {
  return (await query(FILL, merchantId, after, to)).length > 0;
}

/**
 * When the first link that is not filled yet was added to the chain, or else when the first entry that has no link yet was
 * written. The mark is read first: under row-level security the planner takes a sub-select for a condition of the index
 * only if it stands apart.
 */
export const FILLED_UNTIL = `
  WITH mark AS MATERIALIZED (
    SELECT coalesce((SELECT last_sequence FROM search_mark WHERE merchant_id = $1), 0) AS last_sequence
  )
  SELECT later FROM (
    (SELECT l.linked_at AS later FROM mark CROSS JOIN LATERAL (
      SELECT linked_at FROM audit_link
      WHERE merchant_id = $1 AND sequence > mark.last_sequence ORDER BY sequence LIMIT 1
    ) l)
    UNION ALL
    (SELECT queued_at FROM audit_pending WHERE merchant_id = $1 ORDER BY entry_id LIMIT 1)
  ) unfilled LIMIT 1`;

/** Intents created before this instant are in the search table; null if all are. */
export async function filledUntil(merchantId: string): Promise<Date | null> {
  const [row] = await query<{ later: Date }>(FILLED_UNTIL, merchantId);
  return row?.later ?? null;
}
