// Invariants of suspense: every amount has an exception, and leaves as a person decided.
import type { Invariant } from "./invariant";

/** The amount that each booking put into suspense, or each settlement took from it. */
const inSuspense = (condition: string) => `(
  SELECT t.merchant_id, t.environment, t.id, t.reason, t.unique_key, e.currency, e.amount
  FROM ledger_transaction t
  JOIN ledger_entry e ON e.merchant_id = t.merchant_id AND e.transaction_id = t.id AND e.kind = 'suspense'
  WHERE t.reason ${condition} 'suspense_settlement')`;

const exceptionOf = (booking: string) =>
  `exception x ON x.merchant_id = ${booking}.merchant_id AND x.environment = ${booking}.environment
     AND x.fact = ${booking}.unique_key`;

export const SUSPENSE_INVARIANTS: readonly Invariant[] = [
  {
    name: "suspense_has_its_exception",
    guarantee: "Every booking into suspense, or that leaves suspense short, has an exception.",
    sql: `
      SELECT b.merchant_id, b.environment, b.id AS transaction_id, b.reason, b.currency, b.amount
      FROM ${inSuspense("<>")} b LEFT JOIN ${exceptionOf("b")} WHERE x.id IS NULL`,
    needs: ["ledger_entry WHERE kind = 'suspense'", "exception"],
  },
  {
    name: "suspense_is_left_as_decided",
    guarantee: "Money leaves suspense once, in full, and exactly when its exception states how it was settled.",
    sql: `
      SELECT coalesce(b.merchant_id, s.merchant_id) AS merchant_id, b.id AS transaction_id, s.id AS settlement_id,
             b.amount, s.amount AS settled_amount, x.id AS exception_id, x.settled_as
      FROM ${inSuspense("<>")} b
      FULL JOIN ${inSuspense("=")} s ON s.merchant_id = b.merchant_id AND s.environment = b.environment
        AND s.currency = b.currency AND s.unique_key = 'settled:' || b.unique_key
      LEFT JOIN ${exceptionOf("b")}
      WHERE b.id IS NULL OR (s.id IS NOT NULL) <> (x.settled_as IS NOT NULL) OR s.amount <> -b.amount
         OR (x.resolved_at IS NOT NULL) <> (x.settled_as IS NOT NULL)`,
    needs: ["ledger_transaction WHERE reason = 'suspense_settlement'", "exception WHERE resolved_at IS NULL"],
  },
];
