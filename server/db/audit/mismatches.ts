// Reads audit entries, a stretch at a time, for rows that they record and that are gone or differ.
import { query } from "../client";

/** A row that an audit entry records and that is gone or differs. */
export interface Mismatch {
  readonly entryId: string;
  /** Table and id. */
  readonly object: string;
  /** False when the row is there, and differs. */
  readonly isGone: boolean;
}

/**
 * The answer that an attempt's row must still hold: the last one of acceptance, since a later poll answers the same attempt
 * again. A denial need not stay: an acceptance may replace it, and it is not written over an earlier answer.
 */
const IS_FINAL_ANSWER = `shows_acceptance(after->'answer'->>'outcome') AND NOT EXISTS (
    SELECT FROM audit_entry o
    WHERE o.merchant_id = $1 AND o.object_id = e.object_id AND o.after->'answer'->'id' = e.after->'answer'->'id'
      AND shows_acceptance(o.after->'answer'->>'outcome') AND o.after->'revision' > e.after->'revision')`;

/** Each row that the entries `e` record. An attempt's `detail` is its final outcome; `reference` is the provider's. */
const RECORDED = `
  SELECT e.id, 'ledger_transaction' AS of_table,
         'ltx_' || substr(e.id, 5) || CASE d.place WHEN 1 THEN '' ELSE '_' || (d.place - 1) END AS row_id,
         e.object_id, NULL AS detail, NULL AS reference
  FROM e CROSS JOIN LATERAL jsonb_array_elements(
    CASE jsonb_typeof(e.after->'ledger') WHEN 'array' THEN e.after->'ledger' ELSE '[]' END) WITH ORDINALITY AS d(digest, place)
  UNION ALL
  SELECT id, 'approval', object_id, object_id, after->'approval'->>'member_id', NULL FROM e WHERE after->'approval' IS NOT NULL
  UNION ALL
  SELECT id, 'topup_total', object_id, object_id, after->'total'->>'ordinal', NULL FROM e WHERE after->'total' IS NOT NULL
  UNION ALL
  SELECT id, 'provider_attempt', after->'answer'->>'id', object_id,
         CASE WHEN ${IS_FINAL_ANSWER} THEN after->'answer'->>'outcome' END, after->'answer'->>'provider_reference'
  FROM e WHERE after->'answer' IS NOT NULL
  UNION ALL
  SELECT id, CASE action WHEN 'journal.propose' THEN 'journal_entry' ELSE 'manual_resolution' END, object_id, object_id, NULL, NULL
  FROM e WHERE action IN ('journal.propose', 'manual_resolution.propose')
  UNION ALL
  SELECT id, 'approval_policy', environment || ' ' || split_part(object_id, ':', 2), object_id, NULL, NULL
  FROM e WHERE action = 'approval_policy.propose'
  UNION ALL
  SELECT id, 'topup_policy_proposal', object_id, object_id, NULL, NULL FROM e WHERE action = 'topup_policies.propose'
  UNION ALL
  SELECT id, split_part(action, '.', 1), object_id, object_id, NULL, NULL FROM e WHERE after->'facts' IS NOT NULL`;

/** True when the row is there. An attempt must have its final answer too. */
const IS_AS_RECORDED = `CASE of_table
  WHEN 'ledger_transaction' THEN EXISTS (SELECT FROM ledger_transaction r WHERE r.merchant_id = $1 AND r.id = row_id)
  WHEN 'approval' THEN EXISTS (
    SELECT FROM approval r WHERE r.merchant_id = $1 AND r.payout_id = row_id AND r.member_id = t.detail)
  WHEN 'topup_total' THEN EXISTS (
    SELECT FROM topup_total r WHERE r.merchant_id = $1 AND r.intent_id = row_id AND r.ordinal = t.detail::int)
  WHEN 'provider_attempt' THEN EXISTS (
    SELECT FROM provider_attempt r
    WHERE r.merchant_id = $1 AND r.id = row_id AND r.intent_id = t.object_id
      AND (t.detail IS NULL OR (r.outcome, r.provider_reference) IS NOT DISTINCT FROM (t.detail, t.reference)))
  WHEN 'journal_entry' THEN EXISTS (SELECT FROM journal_entry r WHERE r.merchant_id = $1 AND r.id = row_id)
  WHEN 'manual_resolution' THEN EXISTS (SELECT FROM manual_resolution r WHERE r.merchant_id = $1 AND r.id = row_id)
  WHEN 'approval_policy' THEN EXISTS (
    SELECT FROM approval_policy r WHERE r.merchant_id = $1 AND r.environment || ' ' || r.version = row_id)
  WHEN 'topup_policy_proposal' THEN EXISTS (
    SELECT FROM topup_policy_proposal r WHERE r.merchant_id = $1 AND r.id = row_id)
  WHEN 'payment_intent' THEN EXISTS (SELECT FROM payment_intent r WHERE r.merchant_id = $1 AND r.id = row_id)
  WHEN 'payout_intent' THEN EXISTS (SELECT FROM payout_intent r WHERE r.merchant_id = $1 AND r.id = row_id)
  ELSE EXISTS (SELECT FROM topup_intent r WHERE r.merchant_id = $1 AND r.id = row_id) END`;

/** Checks up to `count` entries after `afterId`, by id: their rows must exist, and attempts must hold their answers. */
export async function readMismatches(
  merchantId: string,
  afterId: string,
  count: number,
): Promise<{ lastId: string | null; mismatches: readonly Mismatch[] }> {
  const [row] = await query<{ last_id: string | null; mismatches: Mismatch[] }>(
    `WITH e AS MATERIALIZED (
       SELECT id, environment, object_id, action, after FROM audit_entry WHERE merchant_id = $1 AND id > $2 ORDER BY id LIMIT $3
     ),
     recorded AS (${RECORDED}),
     mismatch AS (
       SELECT id, of_table || ' ' || row_id AS object,
              NOT (of_table = 'provider_attempt' AND EXISTS (
                SELECT FROM provider_attempt r WHERE r.merchant_id = $1 AND r.id = row_id)) AS is_gone
       FROM recorded t WHERE NOT ${IS_AS_RECORDED}
     )
     SELECT (SELECT max(id) FROM e) AS last_id,
            (SELECT coalesce(jsonb_agg(
                jsonb_build_object('entryId', id, 'object', object, 'isGone', is_gone) ORDER BY id, object), '[]')
             FROM mismatch) AS mismatches`,
    merchantId,
    afterId,
    count,
  );
  return { lastId: row?.last_id ?? null, mismatches: row?.mismatches ?? [] };
}
