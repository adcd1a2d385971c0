-- Ledger transactions from before the audit log covered the ledger are anchored in each merchant's chain: one entry tells
-- how many there are and their digest, over the digests (server/domain/audit-cover.ts) of all of them by id. From then
-- on, nothing else is accepted for being old.
WITH old AS (
  SELECT t.*, l.legs
  FROM "ledger_transaction" t
  CROSS JOIN LATERAL (
    SELECT coalesce(string_agg(to_jsonb(leg)::text, ',' ORDER BY leg COLLATE "C"), '') AS legs, min(currency) AS currency
    FROM (SELECT e.currency, concat_ws(' ', e.kind, e.currency, e.amount) AS leg
          FROM "ledger_entry" e
          WHERE e.merchant_id = t.merchant_id AND e.transaction_id = t.id AND e.environment = t.environment) x) l
  WHERE NOT EXISTS (
      SELECT FROM "audit_entry" a
      WHERE a.merchant_id = t.merchant_id AND a.id = 'aud_' || substr(t.id, 5, 26)
        AND t.id ~ '^ltx_.{26}(_[0-9]{1,4})?$')
    AND EXISTS (
      SELECT FROM "audit_entry" o
      WHERE o.merchant_id = t.merchant_id AND o.environment = t.environment AND o.created_at = t.created_at
        AND o.object_id = coalesce(t.intent_id, 'wallet:' || l.currency)
        AND coalesce(o.after->'ledger', 'null') = 'null')
),
anchor AS (
  SELECT merchant_id, count(*) AS transactions,
         encode(sha256(string_agg(sha256(convert_to(concat(
           '["sluice-ledger-1",', to_jsonb(merchant_id), ',', to_jsonb(environment), ',', to_jsonb(id), ',', to_jsonb(reason),
           ',', to_jsonb(unique_key), ',', coalesce(to_jsonb(intent_id), 'null'), ',"',
           to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), '",[', legs, ']]'), 'UTF8')), '' ORDER BY id)),
           'hex') AS digest
  FROM old GROUP BY merchant_id
),
told AS (
  INSERT INTO "audit_entry" (merchant_id, id, actor_type, actor_id, action, object_id, after, created_at)
  SELECT merchant_id, 'aud_0' || substr(md5('ledger.anchor' || merchant_id), 1, 25), 'operator', 'migration',
         'ledger.anchor', merchant_id, jsonb_build_object('transactions', transactions, 'digest', digest),
         date_trunc('milliseconds', clock_timestamp())
  FROM anchor
  RETURNING merchant_id, id
)
INSERT INTO "audit_pending" (merchant_id, entry_id) SELECT merchant_id, id FROM told;
