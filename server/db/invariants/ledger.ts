// Invariants of the ledger: double entry, balances, numbering.
import type { Invariant } from "./invariant";

const ACCOUNT = "merchant_id, environment, currency, kind";

const INTENT_PROVIDERS = `(
  SELECT merchant_id, id, provider, routing FROM payment_intent
  UNION ALL SELECT merchant_id, id, provider, routing FROM payout_intent
  UNION ALL SELECT merchant_id, id, provider, routing FROM topup_intent)`;

export const LEDGER_INVARIANTS: readonly Invariant[] = [
  {
    name: "ledger_transaction_balances",
    guarantee: "Every ledger transaction has entries, and they sum to zero in each currency.",
    sql: `
      SELECT t.merchant_id, t.id AS transaction_id, t.reason, e.currency, sum(e.amount) AS sum
      FROM ledger_transaction t LEFT JOIN ledger_entry e ON e.merchant_id = t.merchant_id AND e.transaction_id = t.id
      GROUP BY t.merchant_id, t.id, t.reason, e.currency HAVING sum(e.amount) IS DISTINCT FROM 0`,
    needs: ["ledger_transaction", "ledger_entry"],
  },
  {
    name: "ledger_book_balances",
    guarantee:
      "The whole ledger balances: all entries, and all stored balances, sum to zero per environment and currency.",
    sql: `
      SELECT environment, currency, coalesce(e.sum, 0) AS entries_sum, coalesce(a.sum, 0) AS balances_sum
      FROM (SELECT environment, currency, sum(amount) AS sum FROM ledger_entry GROUP BY 1, 2) e
      FULL JOIN (SELECT environment, currency, sum(balance) AS sum FROM ledger_account GROUP BY 1, 2) a
        USING (environment, currency)
      WHERE coalesce(e.sum, 0) <> 0 OR coalesce(a.sum, 0) <> 0`,
    needs: ["ledger_account", "ledger_entry"],
  },
  {
    name: "ledger_balance_is_sum_of_entries",
    guarantee: "The stored balance of each account is the sum of its entries.",
    sql: `
      SELECT ${ACCOUNT}, a.balance, coalesce(e.sum, 0) AS entries_sum
      FROM ledger_account a FULL JOIN (SELECT ${ACCOUNT}, sum(amount) AS sum FROM ledger_entry GROUP BY 1, 2, 3, 4) e
        USING (${ACCOUNT})
      WHERE a.balance IS DISTINCT FROM coalesce(e.sum, 0)`,
    needs: ["ledger_account", "ledger_entry"],
  },
  {
    name: "ledger_entries_numbered_without_gap",
    guarantee: "The entries of each account are numbered 1, 2, 3, … up to the number that the account stores.",
    sql: `
      SELECT ${ACCOUNT}, a.last_sequence, coalesce(e.count, 0) AS entries, coalesce(e.last, 0) AS highest
      FROM ledger_account a
      FULL JOIN (
        SELECT ${ACCOUNT}, count(*) AS count, min(sequence) AS first, max(sequence) AS last
        FROM ledger_entry GROUP BY 1, 2, 3, 4) e USING (${ACCOUNT})
      WHERE a.last_sequence IS DISTINCT FROM coalesce(e.count, 0) OR a.last_sequence IS DISTINCT FROM coalesce(e.last, 0)
         OR e.first <> 1`,
    needs: ["ledger_account", "ledger_entry"],
  },
  {
    name: "ledger_wallet_never_negative",
    guarantee: "The available and held balances of a merchant were never below zero after any entry, in booking order.",
    sql: `
      SELECT ${ACCOUNT}, sequence, transaction_id, running
      FROM (
        SELECT ${ACCOUNT}, sequence, transaction_id,
               sum(amount) OVER (PARTITION BY ${ACCOUNT} ORDER BY sequence) AS running
        FROM ledger_entry WHERE kind IN ('available', 'held')) e
      WHERE running < 0`,
    needs: ["ledger_entry WHERE kind = 'available' AND amount < 0", "ledger_entry WHERE kind = 'held' AND amount < 0"],
  },
  {
    name: "ledger_transaction_has_one_currency_and_environment",
    guarantee: "All entries of a ledger transaction are in one currency, and in the environment of the transaction.",
    sql: `
      SELECT t.merchant_id, t.id AS transaction_id, t.environment, t.reason,
             string_agg(DISTINCT e.currency, ',') AS currencies, string_agg(DISTINCT e.environment, ',') AS environments
      FROM ledger_transaction t JOIN ledger_entry e ON e.merchant_id = t.merchant_id AND e.transaction_id = t.id
      GROUP BY t.merchant_id, t.id, t.environment, t.reason
      HAVING count(DISTINCT e.currency) > 1 OR bool_or(e.environment <> t.environment)`,
    needs: ["ledger_transaction", "ledger_entry"],
  },
  {
    name: "clearing_is_kept_per_provider",
    guarantee:
      "Money that moved through a provider for an intent is in the clearing account of a provider that had the intent; no entry lacks its provider.",
    sql: `
      SELECT t.merchant_id, t.intent_id, t.id AS transaction_id, t.reason, e.kind AS account, i.provider
      FROM ledger_entry e
      JOIN ledger_transaction t ON t.merchant_id = e.merchant_id AND t.id = e.transaction_id
      LEFT JOIN ${INTENT_PROVIDERS} i ON i.merchant_id = t.merchant_id AND i.id = t.intent_id
      WHERE starts_with(e.kind, 'provider_clearing:') AND t.reason <> 'clearing_split'
        AND split_part(e.kind, ':', 2) <> i.provider
        AND NOT coalesce(i.routing->'order' ? split_part(e.kind, ':', 2), false)
      UNION ALL
      SELECT merchant_id, NULL, NULL, 'balance ' || balance, kind, NULL
      FROM ledger_account WHERE kind = 'provider_clearing' AND balance <> 0`,
    needs: ["ledger_entry WHERE starts_with(kind, 'provider_clearing:')"],
  },
];
