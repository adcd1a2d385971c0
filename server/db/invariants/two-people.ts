// Invariants of manual acts: two people, evidence, and exactly the effect that they confirmed.
import type { Invariant } from "./invariant";
import { INTENTS } from "./relations";

/**
 * The amount that the provider moved, by the resolution of an intent ended by hand; for a top-up the total received.
 */
const MOVED = `
  CASE i.kind
    WHEN 'topup_intent' THEN (
      SELECT u.received_amount FROM topup_intent u WHERE u.merchant_id = i.merchant_id AND u.id = i.id)
    ELSE (
      SELECT abs(sum(e.amount)) FROM ledger_transaction t
      JOIN ledger_entry e ON e.merchant_id = t.merchant_id AND e.transaction_id = t.id
        AND starts_with(e.kind, 'provider_clearing')
      WHERE t.merchant_id = i.merchant_id AND t.intent_id = i.id
        AND t.reason IN ('payment_credit', 'payout_settlement'))
  END`;

const SAME_PERSON = (row: string) => `lower(btrim(${row}.decided_by_id)) = lower(btrim(${row}.proposed_by_id))`;

export const TWO_PEOPLE_INVARIANTS: readonly Invariant[] = [
  {
    name: "manual_end_took_two_people",
    guarantee:
      "An intent was resolved manually exactly when two people agreed on its end with evidence, and it ended exactly as they confirmed.",
    sql: `
      SELECT coalesce(i.merchant_id, r.merchant_id) AS merchant_id, coalesce(i.id, r.intent_id) AS intent_id, i.status,
             r.id AS resolution_id, r.outcome, r.amount
      FROM (
        SELECT i.*, split_part(a.action, '.', 2) AS trigger, (a.before->>'revision')::int AS from_revision
        FROM ${INTENTS} i
        JOIN audit_entry a ON a.merchant_id = i.merchant_id AND a.object_id = i.id
          AND starts_with(a.action, i.kind || '.resolved_')) i
      FULL JOIN (SELECT * FROM manual_resolution WHERE state = 'confirmed' AND NOT starts_with(intent_id, 'sref_')) r
        ON r.merchant_id = i.merchant_id AND r.intent_id = i.id AND r.environment = i.environment
      WHERE i.id IS NULL OR r.id IS NULL OR i.trigger <> 'resolved_' || r.outcome
         OR i.from_revision <> r.intent_revision OR ${SAME_PERSON("r")} OR r.decided_by_type <> 'operator'
         OR btrim(r.evidence) = '' OR (r.outcome <> 'failed' AND r.amount IS DISTINCT FROM ${MOVED})`,
    needs: ["manual_resolution WHERE state = 'confirmed' AND NOT starts_with(intent_id, 'sref_')"],
  },
  {
    name: "journal_took_two_people",
    guarantee:
      "A journal entry is booked, between its accounts, exactly when two operators agreed on it with evidence.",
    sql: `
      SELECT coalesce(j.merchant_id, t.merchant_id) AS merchant_id, j.id AS journal_entry_id, t.id AS transaction_id
      FROM (SELECT * FROM journal_entry WHERE state = 'confirmed') j
      FULL JOIN (
        SELECT t.merchant_id, t.environment, t.id, t.unique_key,
               jsonb_object_agg(e.kind || ' ' || e.currency, e.amount) AS entries
        FROM ledger_transaction t
        LEFT JOIN ledger_entry e ON e.merchant_id = t.merchant_id AND e.transaction_id = t.id
        WHERE t.reason = 'journal' GROUP BY 1, 2, 3, 4) t
        ON t.merchant_id = j.merchant_id AND t.environment = j.environment AND t.unique_key = 'journal:' || j.id
      WHERE j.id IS NULL OR t.id IS NULL OR ${SAME_PERSON("j")} OR btrim(j.evidence) = ''
         OR t.entries <> jsonb_build_object(
           journal_account_name(j.from_account, j.provider) || ' ' || j.currency, -j.amount,
           journal_account_name(j.to_account, j.provider) || ' ' || j.currency, j.amount)`,
    needs: ["journal_entry WHERE state = 'confirmed'"],
  },
];
