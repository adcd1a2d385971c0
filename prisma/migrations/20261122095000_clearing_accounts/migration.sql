-- One clearing account per provider ("provider_clearing:acme"), and the operator's bank account. Entries are append-only, so
-- what is in the undivided account stays there and is moved by one balanced transaction per currency; balances are kept.

ALTER TABLE "ledger_account"
  DROP CONSTRAINT "ledger_account_kind_known",
  ADD CONSTRAINT "ledger_account_kind_known" CHECK (
    kind IN ('available', 'held', 'provider_clearing', 'bank', 'fees', 'fx_spread', 'suspense', 'funding')
    OR kind ~ '^provider_clearing:[a-z][a-z0-9_-]{0,31}$');

ALTER TABLE "ledger_transaction"
  DROP CONSTRAINT "ledger_transaction_reason_known",
  ADD CONSTRAINT "ledger_transaction_reason_known" CHECK (
    reason IN ('funding', 'payment_credit', 'payout_hold', 'payout_release', 'payout_settlement', 'topup_credit',
               'late_money', 'amount_mismatch', 'bank_return', 'provider_fee', 'funds_dropped', 'suspense_settlement',
               'provider_settlement', 'clearing_split'));

ALTER TABLE "settlement_line"
  DROP CONSTRAINT "settlement_line_kind_known",
  DROP CONSTRAINT "settlement_line_verdict_known",
  ADD CONSTRAINT "settlement_line_kind_known" CHECK (
    kind IN ('payment', 'payout', 'topup', 'fee', 'bank_credit', 'bank_debit')),
  ADD CONSTRAINT "settlement_line_verdict_known" CHECK (
    verdict IN ('matched', 'amount_mismatch', 'missing_internal', 'duplicate', 'fee', 'bank'));

-- No booking may come between reading the shares and moving them.
LOCK TABLE "ledger_account" IN SHARE ROW EXCLUSIVE MODE;

-- What each provider has in the undivided accounts. A fee names its provider; anything else is its intent's.
CREATE TEMPORARY TABLE "clearing_share" ON COMMIT DROP AS
SELECT e.merchant_id, e.environment, e.currency, p.provider, sum(e.amount) AS amount
FROM ledger_entry e
JOIN ledger_transaction t ON t.merchant_id = e.merchant_id AND t.id = e.transaction_id
LEFT JOIN payment_intent pay ON pay.merchant_id = t.merchant_id AND pay.id = t.intent_id
LEFT JOIN payout_intent out ON out.merchant_id = t.merchant_id AND out.id = t.intent_id
LEFT JOIN topup_intent top ON top.merchant_id = t.merchant_id AND top.id = t.intent_id
CROSS JOIN LATERAL (SELECT CASE t.reason WHEN 'provider_fee' THEN split_part(t.unique_key, ':', 2)
                           ELSE coalesce(pay.provider, out.provider, top.provider) END AS provider) p
WHERE e.kind = 'provider_clearing' AND p.provider IS NOT NULL
GROUP BY 1, 2, 3, 4
HAVING sum(e.amount) <> 0;

INSERT INTO ledger_account (merchant_id, environment, currency, kind)
SELECT merchant_id, environment, currency, 'provider_clearing:' || provider FROM clearing_share;

INSERT INTO ledger_account (merchant_id, environment, currency, kind)
SELECT DISTINCT merchant_id, environment, currency, 'bank' FROM ledger_account ON CONFLICT DO NOTHING;

INSERT INTO ledger_transaction (merchant_id, id, environment, reason, unique_key, created_at)
SELECT DISTINCT merchant_id, 'ltx_0' || substr(md5(merchant_id || environment || currency), 1, 25), environment,
       'clearing_split', 'clearing_split:' || currency, date_trunc('milliseconds', clock_timestamp())
FROM clearing_share;

WITH moved AS (
  SELECT merchant_id, environment, currency, 'provider_clearing:' || provider AS kind, amount FROM clearing_share
  UNION ALL
  SELECT merchant_id, environment, currency, 'provider_clearing', -sum(amount) FROM clearing_share GROUP BY 1, 2, 3
  HAVING sum(amount) <> 0
), balanced AS (
  UPDATE ledger_account a SET balance = a.balance + m.amount, last_sequence = a.last_sequence + 1
  FROM moved m
  WHERE (a.merchant_id, a.environment, a.currency, a.kind) = (m.merchant_id, m.environment, m.currency, m.kind)
  RETURNING a.merchant_id, a.environment, a.currency, a.kind, a.last_sequence, m.amount
)
INSERT INTO ledger_entry (merchant_id, environment, currency, kind, sequence, transaction_id, amount)
SELECT merchant_id, environment, currency, kind, last_sequence,
       'ltx_0' || substr(md5(merchant_id || environment || currency), 1, 25), amount
FROM balanced;
