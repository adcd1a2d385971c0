-- Each step of a top-up's totals has an audit entry that tells it whole. The steps so far get one.
WITH told AS (
  INSERT INTO "audit_entry" (merchant_id, id, environment, actor_type, actor_id, action, object_id, after, created_at)
  SELECT merchant_id, 'aud_0' || substr(md5('topup_total' || intent_id || ordinal), 1, 25), environment, 'operator', 'migration',
         'topup_total.anchor', intent_id, jsonb_build_object('total', jsonb_build_object(
           'ordinal', ordinal, 'currency', currency, 'base_amount', base_amount::text,
           'reported_amount', reported_amount::text, 'seen_amount', seen_amount::text)), created_at
  FROM "topup_total"
  RETURNING merchant_id, id
)
INSERT INTO "audit_pending" (merchant_id, entry_id) SELECT merchant_id, id FROM told;
