// Invariants between payments, payouts and ledger: the bookings of each match its status.
import type { Invariant } from "./invariant";

const count = (reason: string) => `count(DISTINCT t.id) FILTER (WHERE t.reason = '${reason}')`;
const sum = (account: string, among = "true") =>
  `coalesce(sum(e.amount) FILTER (WHERE e.kind = '${account}' AND ${among}), 0)`;

/**
 * Bookings per intent: their number by reason, their effect on the wallet, and their currencies. Excludes money that a
 * person released from suspense.
 */
const BOOKED = `(
  SELECT t.merchant_id, t.intent_id AS id, ${count("payment_credit")} AS payment_credits,
         ${count("payout_hold")} AS holds, ${count("payout_release")} AS releases,
         ${count("payout_settlement")} AS settlements, ${sum("available", "t.reason <> 'suspense_settlement'")} AS available,
         ${sum("available", "t.reason = 'bank_return'")} AS returned,
         ${sum("available", "t.reason = 'payout_settlement'")} AS kept, ${sum("held")} AS held,
         string_agg(DISTINCT e.currency, ',') FILTER (WHERE e.kind IN ('available', 'held')
           AND t.reason <> 'suspense_settlement') AS currencies
  FROM ledger_transaction t LEFT JOIN ledger_entry e ON e.merchant_id = t.merchant_id AND e.transaction_id = t.id
  WHERE t.intent_id IS NOT NULL GROUP BY t.merchant_id, t.intent_id)`;

const booked = `LEFT JOIN ${BOOKED} b ON b.merchant_id = i.merchant_id AND b.id = i.id`;

/** Returns the columns of `b`, zero for an intent without bookings. */
const orZero = (...columns: string[]) => columns.map((column) => `coalesce(b.${column}, 0)`).join(", ");

export const MONEY_INVARIANTS: readonly Invariant[] = [
  {
    name: "payment_is_credited_once_succeeded",
    guarantee: "A succeeded payment is credited to the wallet once, for its amount; any other payment credits nothing.",
    sql: `
      SELECT i.merchant_id, i.id AS intent_id, i.status, i.amount, i.currency, b.payment_credits AS credits,
             b.available, b.held, b.currencies
      FROM payment_intent i ${booked}
      CROSS JOIN LATERAL (SELECT CASE WHEN i.status = 'succeeded' THEN 1 ELSE 0 END AS times) due
      WHERE (${orZero("payment_credits", "available", "held")}) <> (due.times, due.times * i.amount, 0)
         OR b.currencies <> i.currency`,
    needs: ["payment_intent WHERE status = 'succeeded'", "payment_intent WHERE status <> 'succeeded'"],
  },
  {
    name: "payout_holds_its_amount_until_its_end",
    guarantee: "A payout holds its amount while it requires approval or is processing, and holds nothing afterwards.",
    sql: `
      SELECT i.merchant_id, i.id AS intent_id, i.status, i.amount, i.currency, b.held, b.currencies
      FROM payout_intent i ${booked}
      WHERE ${orZero("held")} <> CASE WHEN i.status IN ('requires_approval', 'processing') THEN i.amount ELSE 0 END
         OR b.currencies <> i.currency`,
    needs: ["payout_intent WHERE due_at IS NOT NULL", "payout_intent WHERE due_at IS NULL"],
  },
  {
    name: "held_funds_are_open_payouts",
    guarantee:
      "The held balance of a merchant in a currency is the sum of its payouts that require approval or are processing.",
    sql: `
      SELECT merchant_id, environment, currency, coalesce(a.balance, 0) AS held, coalesce(o.amount, 0) AS open_payouts
      FROM (SELECT * FROM ledger_account WHERE kind = 'held') a
      FULL JOIN (
        SELECT merchant_id, environment, currency, sum(amount) AS amount
        FROM payout_intent WHERE status IN ('requires_approval', 'processing') GROUP BY 1, 2, 3) o
        USING (merchant_id, environment, currency)
      WHERE coalesce(a.balance, 0) <> coalesce(o.amount, 0)`,
    needs: ["payout_intent WHERE status IN ('requires_approval', 'processing')"],
  },
  {
    name: "payout_is_settled_or_released_once",
    guarantee:
      "A payout takes its amount once. If it succeeded, it settled once, for less only if two people resolved it, and bank returns do not exceed what left; otherwise its hold was released once.",
    sql: `
      SELECT i.merchant_id, i.id AS intent_id, i.status, i.amount, b.holds, b.settlements, b.releases, b.available,
             b.returned, b.kept
      FROM payout_intent i ${booked}
      LEFT JOIN manual_resolution r ON r.merchant_id = i.merchant_id AND r.intent_id = i.id AND r.state = 'confirmed'
      CROSS JOIN LATERAL (
        SELECT CASE WHEN i.status = 'succeeded' THEN 1 ELSE 0 END AS settlements,
               CASE WHEN i.status IN ('failed', 'cancelled') THEN 1 ELSE 0 END AS releases,
               i.amount - least(i.amount, r.amount) AS kept) due
      WHERE (${orZero("holds", "settlements", "releases", "kept", "available")})
         <> (1, due.settlements, due.releases, due.kept,
             (due.releases - 1) * i.amount + due.kept + ${orZero("returned")})
         OR ${orZero("returned")} NOT BETWEEN 0 AND due.settlements * (i.amount - due.kept)`,
    needs: ["payout_intent WHERE status = 'succeeded'", "payout_intent WHERE status IN ('failed', 'cancelled')"],
  },
];
