// Invariants of intents: their references, and their history in the audit log.
import type { Invariant } from "./invariant";
import { HISTORY, INTENT_TABLES, INTENTS, MOVES } from "./relations";

const FAILURE = `
  CASE WHEN i.failure_code IS NULL THEN 'null'
       ELSE jsonb_build_object('code', i.failure_code, 'message', i.failure_message) END`;

export const INTENT_INVARIANTS: readonly Invariant[] = [
  {
    name: "merchant_reference_is_unique",
    guarantee: "A merchant reference identifies at most one intent per kind, merchant and environment.",
    sql: `
      SELECT kind, merchant_id, environment, merchant_reference, count(*) AS intents, min(id) AS first, max(id) AS last
      FROM ${INTENTS} i WHERE merchant_reference IS NOT NULL
      GROUP BY kind, merchant_id, environment, merchant_reference HAVING count(*) > 1`,
    needs: INTENT_TABLES,
  },
  {
    name: "provider_reference_names_one_intent",
    guarantee: "A provider's reference answers calls about one intent only.",
    sql: `
      SELECT provider, environment, provider_reference, count(DISTINCT (merchant_id, intent_id)) AS intents,
             min(intent_id) AS first, max(intent_id) AS last
      FROM provider_attempt WHERE provider_reference IS NOT NULL
      GROUP BY 1, 2, 3 HAVING count(DISTINCT (merchant_id, intent_id)) > 1`,
    needs: ["provider_attempt WHERE provider_reference IS NOT NULL"],
  },
  {
    name: "calls_name_an_intent_alike",
    guarantee: "Every call about an intent uses the dispatch reference that the intent stores.",
    sql: `
      SELECT t.merchant_id, t.intent_id, t.id AS attempt_id, t.reference, i.dispatch_reference
      FROM provider_attempt t
      JOIN (
        SELECT merchant_id, id, dispatch_reference FROM payment_intent
        UNION ALL SELECT merchant_id, id, dispatch_reference FROM payout_intent
        UNION ALL SELECT merchant_id, id, dispatch_reference FROM topup_intent) i
        ON i.merchant_id = t.merchant_id AND i.id = t.intent_id
      WHERE t.reference <> coalesce(i.dispatch_reference, i.id)`,
    needs: ["provider_attempt"],
  },
  {
    name: "history_is_contiguous",
    guarantee:
      "The audit log records every revision of an intent once, from 0, and each starts where the previous one ended.",
    sql: `
      SELECT merchant_id, id AS intent_id, audit_id, action, position, from_revision, to_revision,
             from_status, previous_status
      FROM (
        SELECT h.*, row_number() OVER w - 1 AS position, lag(to_status) OVER w AS previous_status,
               lag(to_failure) OVER w AS previous_failure
        FROM ${HISTORY} h WINDOW w AS (PARTITION BY merchant_id, id ORDER BY to_revision, audit_id)) step
      WHERE to_revision IS DISTINCT FROM position OR is_first <> (position = 0)
         OR (NOT is_first AND from_revision IS DISTINCT FROM position - 1)
         OR from_status IS DISTINCT FROM previous_status OR from_failure IS DISTINCT FROM previous_failure`,
    needs: ["audit_entry WHERE before IS NOT NULL"],
  },
  {
    name: "history_is_legal",
    guarantee: "Every change in the audit log is one that the transition tables allow, under its own name.",
    sql: `
      SELECT merchant_id, id AS intent_id, audit_id, h.action, h.from_status, h.to_status
      FROM ${HISTORY} h
      LEFT JOIN ${MOVES} ON move.action = h.action AND move.to_status = h.to_status
        AND coalesce(move.from_status, '') = coalesce(h.from_status, '')
      WHERE move.action IS NULL`,
    needs: ["audit_entry WHERE before IS NOT NULL"],
  },
  {
    name: "history_ends_at_the_present",
    guarantee: "The last change of an intent in the audit log leads to its current status, revision and failure.",
    sql: `
      SELECT i.merchant_id, i.id AS intent_id, i.status, i.revision, h.to_status AS audited_status,
             h.to_revision AS audited_revision
      FROM ${INTENTS} i
      LEFT JOIN (
        SELECT DISTINCT ON (merchant_id, id) merchant_id, id, to_status, to_revision, to_failure
        FROM ${HISTORY} h ORDER BY merchant_id, id, to_revision DESC NULLS LAST) h
        ON h.merchant_id = i.merchant_id AND h.id = i.id
      WHERE (h.to_status, h.to_revision, h.to_failure) IS DISTINCT FROM (i.status, i.revision::numeric, (${FAILURE})::jsonb)`,
    needs: INTENT_TABLES,
  },
];
