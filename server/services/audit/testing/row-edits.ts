// Edits of audited rows by a person with all rights over the database: consistent with each other.
import fc from "fast-check";
import { column, edit, onPicked, pick, type RowEdit } from "./edit";
import { EVIDENCE, INSTRUCTIONS, TOTALS } from "./evidence-edits";

/** Renumbers entries without gaps and recomputes balances, as a careful forger does last. */
const TIDY = [
  "UPDATE ledger_entry SET sequence = sequence + 1000000",
  `UPDATE ledger_entry e SET sequence = n.place
   FROM (SELECT ctid AS row, row_number() OVER (
           PARTITION BY merchant_id, environment, currency, kind ORDER BY sequence, transaction_id) AS place
         FROM ledger_entry) n
   WHERE e.ctid = n.row`,
  `UPDATE ledger_account a SET balance = coalesce(e.balance, 0), last_sequence = coalesce(e.count, 0)
   FROM ledger_account o LEFT JOIN (
     SELECT merchant_id, environment, currency, kind, sum(amount) AS balance, count(*) AS count
     FROM ledger_entry GROUP BY 1, 2, 3, 4) e USING (merchant_id, environment, currency, kind)
   WHERE (a.merchant_id, a.environment, a.currency, a.kind) = (o.merchant_id, o.environment, o.currency, o.kind)`,
];

const booked = (name: string, ...statements: string[]): RowEdit => edit(name, ...statements, ...TIDY);

/** Raises an amount of an intent, its entries and its balances equally; signs are unchanged. */
function moreMoney(table: string, column: string, condition: string): RowEdit {
  return booked(
    `more ${column} of a ${table}`,
    `WITH grown AS (
       UPDATE ${table} SET ${column} = ${column} + 7 WHERE ${onPicked(table, condition)} RETURNING merchant_id, id)
     UPDATE ledger_entry e SET amount = amount + 7 * sign(amount) FROM ledger_transaction t, grown g
     WHERE t.merchant_id = g.merchant_id AND t.intent_id = g.id
       AND e.merchant_id = t.merchant_id AND e.transaction_id = t.id AND abs(e.amount) > 7`,
  );
}

const INTENTS = ["payment_intent", "payout_intent", "topup_intent"];

const FACTS: readonly RowEdit[] = [
  ...INTENTS.flatMap((table) => [
    column(table, "merchant_reference", "merchant_reference || '.'", "merchant_reference IS NOT NULL"),
    ...(table === "payment_intent" ? [] : [column(table, "country", "CASE country WHEN 'BR' THEN 'AR' ELSE 'BR' END")]),
    column(table, "created_at", "created_at - interval '1 day'"),
    column(table, "id", "id || '0'"),
    column(table, "merchant_id", "merchant_id || '0'"),
    edit(
      `another provider of a ${table}`,
      `UPDATE ${table} SET provider = 'other', routing = replace(routing::text, '"' || provider || '"', '"other"')::jsonb
       WHERE ${onPicked(table)}`,
    ),
    column(table, "environment", "CASE environment WHEN 'test' THEN 'live' ELSE 'test' END"),
    edit(`delete a ${table}`, `DELETE FROM ${table} WHERE ${onPicked(table)}`),
  ]),
  edit(
    "another country and method of a payment",
    `UPDATE payment_intent SET country = 'MX', payment_method = 'MX_SPEI' WHERE ${onPicked("payment_intent", "country <> 'MX'")}`,
  ),
  column("payment_intent", "customer", `'{"email": "other@shop.example"}'`),
  column("payment_intent", "description", "'another thing'"),
  column("payment_intent", "return_url", "'https://other.example/'"),
  column("payment_intent", "expires_at", "expires_at + interval '1 day'"),
  ...["recipient_bank_code", "recipient_holder_name"].map((name) =>
    column("payout_intent", name, `reverse(${name}) || '1'`),
  ),
  column("payout_intent", "recipient_last4", "translate(recipient_last4, '0123456789', '1234567890')"),
  column("payout_intent", "account_sealed", "reverse(account_sealed)"),
  column("payout_intent", "account_digest", "translate(account_digest, '0123456789', '1234567890')"),
  column("payout_intent", "created_by_id", "'mem_other'"),
  column("payout_intent", "policy_version", "policy_version + 1"),
  edit(
    "a payout's recipient is another payout's, as a whole",
    `UPDATE payout_intent p SET recipient_holder_name = 'Eve', account_sealed = o.account_sealed FROM payout_intent o
     WHERE p.merchant_id = o.merchant_id AND p.id <> o.id AND p.ctid = ${pick("ctid", "payout_intent")}`,
  ),
  edit(
    "fewer approvals required",
    `UPDATE payout_intent SET approvals_required = 0, approvals_given = 0
     WHERE ${onPicked("payout_intent", "approvals_required > 0 AND status <> 'requires_approval'")}`,
  ),
  ...["source_amount", "destination_amount", "fee_amount", "spread_amount", "received_amount"].map((name) =>
    column("topup_intent", name, `${name} + 1`),
  ),
  column("topup_intent", "rate", "rate + 0.000001"),
  column("topup_intent", "network", "network || 'x'"),
  column("topup_intent", "late_payment", "CASE late_payment WHEN 'hold' THEN 'refund' ELSE 'hold' END"),
];

/** Instructions if the entry's status requires them. */
const ITS_ACTION = `CASE a.after->>'status' WHEN 'requires_action' THEN '{"type": "display_qr_code"}'::jsonb END`;

const STATES: readonly RowEdit[] = [
  edit(
    "a payment that failed has succeeded, with its event",
    `WITH made AS (
       UPDATE payment_intent SET status = 'succeeded', failure_code = NULL, failure_message = NULL
       WHERE ${onPicked("payment_intent", "status IN ('failed', 'expired')")} RETURNING merchant_id, id)
     UPDATE event v SET status = 'succeeded', type = 'payment_intent.succeeded', failure_code = NULL, failure_message = NULL
     FROM made WHERE v.merchant_id = made.merchant_id AND v.intent_id = made.id`,
  ),
  edit(
    "a payout that was cancelled is processing again",
    `UPDATE payout_intent SET status = 'processing', failure_code = NULL, failure_message = NULL, approvals_required = 0,
            approvals_given = 0, due_at = now()
     WHERE ${onPicked("payout_intent", "status = 'cancelled'")}`,
  ),
  ...INTENTS.map((table) => column(table, "revision", "revision + 1")),
  ...INTENTS.map((table) =>
    edit(
      `a ${table} that has ended is as it was one revision before, without its event`,
      `WITH earlier AS (
         UPDATE ${table} i SET status = a.after->>'status', revision = i.revision - 1, failure_code = NULL,
                failure_message = NULL, due_at = now() ${table === "payment_intent" ? `, next_action = ${ITS_ACTION}` : ""}
         FROM ${pick("*", table, "status IN ('failed', 'expired', 'cancelled') AND revision > 0")} e, audit_entry a
         WHERE i.merchant_id = e.merchant_id AND i.id = e.id AND a.merchant_id = e.merchant_id AND a.object_id = e.id
           AND starts_with(a.action, '${table}.') AND a.after->'revision' = to_jsonb(e.revision - 1)
         RETURNING i.merchant_id, i.id),
       gone AS (
         DELETE FROM event v USING earlier WHERE v.merchant_id = earlier.merchant_id AND v.intent_id = earlier.id)
       SELECT FROM earlier`,
    ),
  ),
];

const MONEY: readonly RowEdit[] = [
  moreMoney("payment_intent", "amount", "status = 'succeeded'"),
  moreMoney("payout_intent", "amount", "true"),
  moreMoney("topup_intent", "credited_amount", "status = 'succeeded'"),
  booked(
    "a transaction of another sum",
    `UPDATE ledger_entry e SET amount = amount * 2 FROM ${pick("*", "ledger_transaction", "reason IN ('payment_credit', 'funding', 'topup_credit')")} t
     WHERE e.merchant_id = t.merchant_id AND e.transaction_id = t.id`,
  ),
  booked(
    "a pair of entries more in a transaction",
    `INSERT INTO ledger_entry (merchant_id, environment, currency, kind, sequence, transaction_id, amount)
     SELECT merchant_id, environment, 'BRL', kind, 900000, id, amount
     FROM ${pick("*", "ledger_transaction", "merchant_id IN (SELECT merchant_id FROM payout_intent) AND environment = 'test'")} t,
          (VALUES ('available', 500), ('funding', -500)) AS leg(kind, amount)`,
  ),
  booked(
    "a pair of entries in no transaction",
    `INSERT INTO ledger_entry (merchant_id, environment, currency, kind, sequence, transaction_id, amount)
     SELECT merchant_id, environment, currency, leg.kind, 900000, 'ltx_none', leg.amount
     FROM ${pick("*", "ledger_account", "kind = 'available'")} a,
          (VALUES ('available', 500), ('funding', -500)) AS leg(kind, amount)`,
  ),
  booked(
    "a transaction is gone",
    `WITH gone AS (
       DELETE FROM ledger_transaction WHERE ${onPicked("ledger_transaction", "reason IN ('payment_credit', 'topup_credit', 'late_money', 'payout_settlement')")}
       RETURNING merchant_id, id)
     DELETE FROM ledger_entry e USING gone WHERE e.merchant_id = gone.merchant_id AND e.transaction_id = gone.id`,
  ),
  ...["ltx_forged", "ltx_01jzzzzzzzzzzzzzzzzzzzzzzz"].map((id) =>
    booked(
      `a transaction more, ${id}`,
      `WITH forged AS (
         INSERT INTO ledger_transaction (merchant_id, id, environment, reason, unique_key, intent_id, created_at)
         SELECT merchant_id, '${id}', environment, reason, 'forged', intent_id, created_at
         FROM ${pick("*", "ledger_transaction", "environment = 'test' AND merchant_id IN (SELECT merchant_id FROM payout_intent)")} t
         RETURNING merchant_id, id, environment)
       INSERT INTO ledger_entry (merchant_id, environment, currency, kind, sequence, transaction_id, amount)
       SELECT merchant_id, environment, 'BRL', kind, 900000, id, amount
       FROM forged, (VALUES ('available', 500), ('funding', -500)) AS leg(kind, amount)`,
    ),
  ),
  booked(
    "a transaction more, under the next place of a covered one",
    `WITH forged AS (
       INSERT INTO ledger_transaction (merchant_id, id, environment, reason, unique_key, intent_id, created_at)
       SELECT merchant_id, id || '_1', environment, reason, 'forged', intent_id, created_at
       FROM ${pick("*", "ledger_transaction", "environment = 'test' AND length(id) = 30 AND merchant_id IN (SELECT merchant_id FROM payout_intent)")} t
       RETURNING merchant_id, id, environment)
     INSERT INTO ledger_entry (merchant_id, environment, currency, kind, sequence, transaction_id, amount)
     SELECT merchant_id, environment, 'BRL', kind, 900000, id, amount
     FROM forged, (VALUES ('available', 500), ('funding', -500)) AS leg(kind, amount)`,
  ),
  booked(
    "accounts swapped: a fee is the merchant's",
    `UPDATE ledger_entry e SET kind = 'available', sequence = sequence + 500000
     WHERE ${onPicked("ledger_entry", "kind IN ('fees', 'fx_spread', 'suspense') AND amount > 0")}`,
  ),
  booked(
    "a transaction of one merchant is another's",
    `WITH moved AS (
       SELECT t.merchant_id, t.id, o.merchant_id AS other
       FROM ${pick("*", "ledger_transaction", "reason = 'payment_credit'")} t,
            (SELECT DISTINCT merchant_id FROM payout_intent) o WHERE o.merchant_id <> t.merchant_id LIMIT 1),
     entries AS (
       UPDATE ledger_entry e SET merchant_id = other, sequence = sequence + 500000 FROM moved
       WHERE e.merchant_id = moved.merchant_id AND e.transaction_id = moved.id)
     UPDATE ledger_transaction t SET merchant_id = other FROM moved
     WHERE t.merchant_id = moved.merchant_id AND t.id = moved.id`,
  ),
  booked(
    "entries of a test transaction are live",
    `INSERT INTO ledger_account
     SELECT (jsonb_populate_record(NULL::ledger_account,
              to_jsonb(a) || '{"environment": "live", "balance": 0, "last_sequence": 0}')).*
     FROM ledger_account a WHERE environment = 'test' ON CONFLICT DO NOTHING`,
    `UPDATE ledger_entry e SET environment = 'live', sequence = sequence + 500000
     FROM ${pick("*", "ledger_transaction", "environment = 'test' AND reason = 'payment_credit'")} t
     WHERE e.merchant_id = t.merchant_id AND e.transaction_id = t.id`,
  ),
  column("ledger_transaction", "reason", "CASE reason WHEN 'late_money' THEN 'bank_return' ELSE 'late_money' END"),
  column("ledger_transaction", "unique_key", "unique_key || '.'"),
  column("ledger_transaction", "intent_id", "coalesce(intent_id, '') || '0'"),
  column("ledger_transaction", "created_at", "created_at - interval '1 hour'"),
];

const APPROVALS: readonly RowEdit[] = [
  column("approval", "digest", "translate(digest, '0123456789abcdef', '123456789abcdef0')"),
  column("approval", "member_id", "'mem_other'"),
  column("approval", "revision", "revision + 1"),
  column("approval", "policy_version", "policy_version + 1"),
  column("approval", "created_at", "created_at - interval '1 minute'"),
  edit(
    "an approval is gone",
    `WITH gone AS (DELETE FROM approval WHERE ${onPicked("approval")} RETURNING merchant_id, payout_id)
     UPDATE payout_intent p SET approvals_given = approvals_given - 1, approvals_required = approvals_required - 1
     FROM gone WHERE p.merchant_id = gone.merchant_id AND p.id = gone.payout_id`,
  ),
  edit(
    "an approval more",
    `INSERT INTO approval (merchant_id, payout_id, member_id, digest, created_at, revision, policy_version)
     SELECT merchant_id, payout_id, 'mem_other', digest, created_at, revision, policy_version
     FROM ${pick("*", "approval")} v`,
  ),
];

const NEW_ROWS: readonly RowEdit[] = INTENTS.map((table) =>
  edit(
    `a ${table} more`,
    `INSERT INTO ${table}
     SELECT (jsonb_populate_record(NULL::${table},
              to_jsonb(t) || jsonb_build_object('id', id || '1', 'merchant_reference', 'forged'))).*
     FROM ${pick("*", table)} t`,
  ),
);

/** Every kind of edit. */
export const ROW_EDITS: readonly RowEdit[] = [
  ...FACTS,
  ...STATES,
  ...MONEY,
  ...APPROVALS,
  ...INSTRUCTIONS,
  ...TOTALS,
  ...EVIDENCE,
  ...NEW_ROWS,
];

/** An edit and the seed text that picks its rows. */
export const plantedEdits: fc.Arbitrary<{ readonly edit: RowEdit; readonly seed: string }> = fc.record({
  edit: fc.constantFrom(...ROW_EDITS),
  seed: fc.nat().map(String),
});
