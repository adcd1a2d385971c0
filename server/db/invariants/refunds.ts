// Invariants of refunds of money in suspense: two people, one refund per fact, and exactly its booking.
import type { Invariant } from "./invariant";

const SENT = "('confirmed', 'settled', 'failed', 'returned')";

/** The transaction of a key, with what it moved through the refund's provider. */
const booking = (key: string, alias: string) => `
  LEFT JOIN LATERAL (
    SELECT e.amount FROM ledger_transaction t
    JOIN ledger_entry e ON e.merchant_id = t.merchant_id AND e.transaction_id = t.id
      AND e.kind = 'provider_clearing:' || r.provider AND e.currency = r.currency
    WHERE t.merchant_id = r.merchant_id AND t.environment = r.environment AND t.unique_key = ${key}) ${alias} ON true`;

export const REFUND_INVARIANTS: readonly Invariant[] = [
  {
    name: "refund_took_two_people",
    guarantee: "A refund was confirmed by another member than the one who proposed it.",
    sql: `
      SELECT r.merchant_id, r.id AS refund_id, r.state FROM suspense_refund r
      WHERE r.state IN ${SENT} AND (r.decided_by_id IS NULL OR r.decided_by_id = r.proposed_by_id OR EXISTS (
        SELECT FROM member p JOIN member d ON d.merchant_id = p.merchant_id AND d.id = r.decided_by_id
        WHERE p.merchant_id = r.merchant_id AND p.id = r.proposed_by_id
          AND lower(btrim(p.email)) = lower(btrim(d.email))))`,
    needs: [`suspense_refund WHERE state IN ${SENT}`],
  },
  {
    name: "refund_by_hand_took_two_people",
    guarantee:
      "A refund was ended by hand exactly when two people, neither of whom had proposed it, agreed on its end with evidence.",
    sql: `
      SELECT coalesce(f.merchant_id, r.merchant_id) AS merchant_id, coalesce(f.id, r.intent_id) AS refund_id, f.state,
             r.id AS resolution_id, r.outcome, r.amount
      FROM (
        SELECT f.*, a.action, (a.before->>'revision')::int AS calls
        FROM suspense_refund f
        JOIN audit_entry a ON a.merchant_id = f.merchant_id AND a.object_id = f.id
          AND starts_with(a.action, 'suspense_refund.resolved_')) f
      FULL JOIN (
        SELECT * FROM manual_resolution WHERE state = 'confirmed' AND starts_with(intent_id, 'sref_')) r
        ON r.merchant_id = f.merchant_id AND r.intent_id = f.id AND r.environment = f.environment
      WHERE f.id IS NULL OR r.id IS NULL OR f.action <> 'suspense_refund.resolved_' || r.outcome
         OR f.calls <> r.intent_revision OR lower(btrim(r.decided_by_id)) = lower(btrim(r.proposed_by_id))
         OR r.decided_by_type <> 'operator' OR btrim(r.evidence) = ''
         OR NOT CASE r.outcome WHEN 'settled' THEN f.state IN ('settled', 'returned') ELSE f.state = 'failed' END
         OR (r.outcome = 'settled' AND (r.amount, r.currency) IS DISTINCT FROM (f.amount, f.currency))
         OR EXISTS (
           SELECT FROM member m
           WHERE m.merchant_id = f.merchant_id AND m.id = f.proposed_by_id
             AND (m.id = r.proposed_by_id
               OR lower(btrim(m.email)) IN (lower(btrim(r.proposed_by_id)), lower(btrim(r.decided_by_id)))))`,
    needs: ["manual_resolution WHERE state = 'confirmed' AND starts_with(intent_id, 'sref_')"],
  },
  {
    name: "refund_is_of_its_money",
    guarantee:
      "A refund is of exactly what its fact booked into suspense, no two of one fact are open or settled, and while one is open nobody decides otherwise.",
    sql: `
      SELECT r.merchant_id, r.id AS refund_id, r.state, r.amount, m.amount AS booked, x.resolved_at
      FROM suspense_refund r
      LEFT JOIN LATERAL (
        SELECT e.amount FROM ledger_transaction t
        JOIN ledger_entry e ON e.merchant_id = t.merchant_id AND e.transaction_id = t.id
          AND e.kind = 'suspense' AND e.currency = r.currency
        WHERE t.merchant_id = r.merchant_id AND t.environment = r.environment AND t.unique_key = r.fact
          AND t.intent_id = r.payment_id) m ON true
      LEFT JOIN exception x ON x.merchant_id = r.merchant_id AND x.id = r.exception_id
        AND x.environment = r.environment AND x.fact = r.fact
      WHERE m.amount IS DISTINCT FROM r.amount OR x.id IS NULL
         OR (r.state IN ('proposed', 'confirmed') AND x.resolved_at IS NOT NULL)
         OR (r.state NOT IN ('rejected', 'failed') AND EXISTS (
           SELECT FROM suspense_refund o
           WHERE o.merchant_id = r.merchant_id AND o.environment = r.environment AND o.fact = r.fact AND o.id <> r.id
             AND o.state NOT IN ('rejected', 'failed')))`,
    needs: ["suspense_refund"],
  },
  {
    name: "refund_is_booked_once_settled",
    guarantee:
      "A refund left through its provider once, in full, exactly when it settled, and came back exactly when it was returned.",
    sql: `
      SELECT r.merchant_id, r.id AS refund_id, r.state, r.amount, s.amount AS left_with, b.amount AS came_back
      FROM suspense_refund r
      LEFT JOIN exception x ON x.merchant_id = r.merchant_id AND x.id = r.exception_id
      ${booking("'settled:' || r.fact", "s")}
      ${booking("'refund_returned:' || r.id", "b")}
      WHERE (r.state IN ('settled', 'returned') AND (s.amount IS DISTINCT FROM r.amount OR x.settled_as <> 'refund'))
         OR (b.amount IS NOT NULL) <> (r.state = 'returned') OR b.amount <> -r.amount`,
    needs: ["suspense_refund WHERE state = 'settled'", "suspense_refund WHERE state = 'returned'"],
  },
  {
    name: "refund_is_sent_as_confirmed",
    guarantee: "Calls about a refund are made once it is confirmed, to its provider, under its one reference.",
    sql: `
      SELECT t.merchant_id, t.intent_id AS refund_id, t.id AS attempt_id, t.reference, r.state
      FROM provider_attempt t JOIN suspense_refund r ON r.merchant_id = t.merchant_id AND r.id = t.intent_id
      WHERE r.state NOT IN ${SENT} OR t.provider <> r.provider OR t.reference IS DISTINCT FROM r.reference`,
    needs: ["provider_attempt WHERE starts_with(intent_id, 'sref_')"],
  },
  {
    name: "refund_is_ended_or_due",
    guarantee:
      "Every confirmed refund has a due time; of others only settled ones have one, whose return is watched for.",
    sql: `
      SELECT merchant_id, id AS refund_id, state, due_at FROM suspense_refund
      WHERE state = 'confirmed' AND due_at IS NULL OR due_at IS NOT NULL AND state NOT IN ('confirmed', 'settled')`,
    needs: ["suspense_refund"],
  },
  {
    name: "no_refund_is_overdue",
    guarantee: "No refund has been due for more than 60 seconds: the worker runs and is not behind.",
    sql: `
      SELECT merchant_id, id AS refund_id, state, due_at FROM suspense_refund WHERE due_at < now() - interval '60 seconds'`,
    needs: ["suspense_refund WHERE state = 'confirmed'"],
  },
];
