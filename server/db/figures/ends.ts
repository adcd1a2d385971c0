// The SQL that finds the ends among audit entries: each transition writes one, and one of an intent's ends it.
import { TERMINAL } from "../invariants/relations";

/**
 * The ends of payments and payouts of merchant $1 whose audit entries `named` (entry_id) names. Each step is a look-up by
 * key, whatever the planner believes of the tables: they hold all that ever was, and what is named is little.
 */
export function endsAmong(named: string): string {
  return `
  SELECT ev.environment, ev.created_at, a.kind, i.currency, ev.status, coalesce(ev.failure_code, '') AS failure_code,
         i.amount
  FROM ${named} n
  CROSS JOIN LATERAL (
    SELECT e.object_id, split_part(e.action, '.', 1) AS kind, e.after->>'status' AS status
    FROM audit_entry e WHERE e.merchant_id = $1 AND e.id = n.entry_id AND e.after->>'status' IN ${TERMINAL} LIMIT 1
  ) a
  CROSS JOIN LATERAL (
    SELECT e.environment, e.created_at, e.status, e.failure_code
    FROM event e WHERE e.merchant_id = $1 AND e.intent_id = a.object_id LIMIT 1
  ) ev
  CROSS JOIN LATERAL (
    (SELECT p.currency, p.amount FROM payment_intent p
     WHERE a.kind = 'payment_intent' AND p.merchant_id = $1 AND p.id = a.object_id LIMIT 1)
    UNION ALL
    (SELECT p.currency, p.amount FROM payout_intent p
     WHERE a.kind = 'payout_intent' AND p.merchant_id = $1 AND p.id = a.object_id LIMIT 1)
  ) i
  WHERE a.kind IN ('payment_intent', 'payout_intent') AND a.status = ev.status`;
}
