// What must hold in the database whenever no work is in progress, as queries that return no rows while it does.
import { Client } from "pg";
import { query } from "@/server/db/client";
import { env } from "@/server/platform/env";

const TERMINAL = "('succeeded', 'failed', 'expired', 'cancelled')";

const INTENTS = `
  SELECT merchant_id, id, environment, 'payment_intent' AS kind, status, revision, amount, failure_code, failure_message,
         created_at, updated_at FROM payment_intent
  UNION ALL
  SELECT merchant_id, id, environment, 'payout_intent', status, revision, amount, failure_code, failure_message,
         created_at, updated_at FROM payout_intent
  UNION ALL
  SELECT merchant_id, id, environment, 'topup_intent', status, revision, credited_amount, failure_code, failure_message,
         created_at, updated_at FROM topup_intent`;

/** The sum of the entries of one kind of account per intent, without late money and settlements of suspense. */
const movedOn = (account: string) => `
  SELECT t.merchant_id, t.intent_id AS id, sum(e.amount) AS amount
  FROM ledger_transaction t JOIN ledger_entry e ON e.merchant_id = t.merchant_id AND e.transaction_id = t.id
  WHERE e.kind = '${account}' AND t.reason <> 'suspense_settlement'
    AND NOT (starts_with(t.intent_id, 'tuin_') AND (t.reason = 'late_money' OR starts_with(t.unique_key, 'topup_over:')))
  GROUP BY 1, 2`;

const VIOLATIONS: Readonly<Record<string, string>> = {
  "a ledger transaction does not balance": `
    SELECT 1 FROM ledger_entry GROUP BY merchant_id, transaction_id, currency HAVING sum(amount) <> 0`,
  "a stored balance is not the sum of its entries, or entries are not numbered 1, 2, 3 …": `
    SELECT 1 FROM ledger_account a LEFT JOIN (
      SELECT merchant_id, environment, currency, kind, sum(amount) AS total, count(*) AS entries, max(sequence) AS last
      FROM ledger_entry GROUP BY 1, 2, 3, 4) e USING (merchant_id, environment, currency, kind)
    WHERE a.balance <> coalesce(e.total, 0) OR a.last_sequence <> coalesce(e.entries, 0)
       OR a.last_sequence <> coalesce(e.last, 0)`,
  "a wallet was negative at some entry": `
    SELECT 1 FROM (
      SELECT kind, sum(amount) OVER (PARTITION BY merchant_id, environment, currency, kind ORDER BY sequence) AS running
      FROM ledger_entry WHERE kind IN ('available', 'held')) e WHERE running < 0`,
  "an intent has not exactly one event where it should, or one that tells otherwise": `
    SELECT 1 FROM (${INTENTS}) i LEFT JOIN event v ON v.merchant_id = i.merchant_id AND v.intent_id = i.id
    GROUP BY i.merchant_id, i.id, i.kind, i.status, i.failure_code, i.failure_message, i.environment
    HAVING count(v.id) <> (CASE WHEN i.kind <> 'topup_intent' AND i.status IN ${TERMINAL} THEN 1 ELSE 0 END)
        OR bool_or(v.id IS NOT NULL AND (v.type, v.status, v.failure_code, v.failure_message, v.environment)
           IS DISTINCT FROM (i.kind || '.' || i.status, i.status, i.failure_code, i.failure_message, i.environment))`,
  "a payment or top-up credited something other than it should": `
    SELECT 1 FROM (${INTENTS}) i LEFT JOIN (${movedOn("available")}) m USING (merchant_id, id)
    WHERE i.kind <> 'payout_intent'
      AND coalesce(m.amount, 0) <> (CASE WHEN i.status = 'succeeded' THEN i.amount ELSE 0 END)`,
  "a payout holds something other than it should": `
    SELECT 1 FROM (${INTENTS}) i LEFT JOIN (${movedOn("held")}) m USING (merchant_id, id)
    WHERE i.kind = 'payout_intent'
      AND coalesce(m.amount, 0) <> (CASE WHEN i.status IN ${TERMINAL} THEN 0 ELSE i.amount END)`,
  "an intent has not one audit entry for its creation and one for each change": `
    SELECT 1 FROM (${INTENTS}) i LEFT JOIN audit_entry a
      ON a.merchant_id = i.merchant_id AND a.object_id = i.id AND starts_with(a.action, i.kind || '.')
    GROUP BY i.merchant_id, i.id, i.revision HAVING count(a.id) <> i.revision + 1`,
  "a payout was dispatched without the approval of another person": `
    SELECT 1 FROM provider_attempt t JOIN payout_intent p ON p.merchant_id = t.merchant_id AND p.id = t.intent_id
    WHERE p.approvals_required > (SELECT count(*) FROM approval v WHERE v.merchant_id = p.merchant_id
      AND v.payout_id = p.id AND v.member_id <> p.created_by_id AND v.created_at <= t.started_at)`,
  "a cancelled payout was announced to a provider": `
    SELECT 1 FROM provider_attempt t JOIN payout_intent p ON p.merchant_id = t.merchant_id AND p.id = t.intent_id
    WHERE p.status = 'cancelled'`,
  "an intent's time runs backwards": `SELECT 1 FROM (${INTENTS}) i WHERE updated_at < created_at`,
};

/**
 * Throws an error that names every violation. Call it after each test that writes. It uses its own connection, because
 * the service's connections disable the join plans that these queries need.
 */
export async function requireSoundness(): Promise<void> {
  const client = new Client({ connectionString: env().databaseUrl ?? "" });
  await client.connect();
  const broken: string[] = [];
  try {
    for (const [name, sql] of Object.entries(VIOLATIONS)) {
      if ((await client.query(sql)).rows.length > 0) broken.push(name);
    }
  } finally {
    await client.end();
  }
  if (broken.length > 0) throw new Error(`the database is not sound:\n- ${broken.join("\n- ")}`);
}

/** Counts the rows of a table, optionally of one merchant. */
export async function countRows(table: string, merchantId?: string): Promise<number> {
  const where = merchantId === undefined ? "" : "WHERE merchant_id = $1";
  const values = merchantId === undefined ? [] : [merchantId];
  const [row] = await query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table} ${where}`, ...values);
  return row?.count ?? 0;
}
