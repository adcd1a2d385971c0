-- The split of the undivided clearing accounts booked ledger transactions without an audit entry. Each gets one, in the
-- form of its time: no ledger transaction is without an entry that tells of it.
WITH split AS (
  SELECT t.merchant_id, t.id, t.environment, t.created_at, min(e.currency) AS currency,
         jsonb_agg(jsonb_build_object('account', e.kind, 'currency', e.currency, 'amount', e.amount::text) ORDER BY e.kind) AS entries
  FROM "ledger_transaction" t
  JOIN "ledger_entry" e ON e.merchant_id = t.merchant_id AND e.transaction_id = t.id
  WHERE t.reason = 'clearing_split'
  GROUP BY t.merchant_id, t.id, t.environment, t.created_at
),
told AS (
  INSERT INTO "audit_entry" (merchant_id, id, environment, actor_type, actor_id, action, object_id, after, created_at)
  SELECT merchant_id, 'aud_0' || substr(md5('clearing_split' || id), 1, 25), environment, 'operator', 'migration',
         'ledger.clearing_split', 'wallet:' || currency, jsonb_build_object('entries', entries), created_at
  FROM split
  RETURNING merchant_id, id
)
INSERT INTO "audit_pending" (merchant_id, entry_id) SELECT merchant_id, id FROM told;
