-- The payment instructions of a top-up stay on it for life; their amount is what is left to pay, "0" once nothing is owed.
ALTER TABLE "topup_intent" DROP CONSTRAINT "topup_intent_next_action_until_terminal";

UPDATE "topup_intent" SET next_action = jsonb_set(next_action, '{amount}', '"0"')
WHERE status = 'processing' AND next_action IS NOT NULL;

-- Terminal rows lost theirs. Those whose creation is still kept for replays get them back from that answer.
ALTER TABLE "topup_intent" DISABLE TRIGGER "topup_intent_terminal_is_final";
UPDATE "topup_intent" i SET next_action = answer.next_action || '{"amount": "0"}'
FROM (
  SELECT k.merchant_id, k.object_id,
         CASE WHEN starts_with(s.body, '{"object":"topup_intent"') THEN s.body::jsonb->'next_action' END AS next_action
  FROM idempotency_key k
  JOIN idempotency_seal s ON s.merchant_id = k.merchant_id AND s.api_key_id = k.api_key_id AND s.key = k.key
  WHERE starts_with(k.object_id, 'tuin_') AND s.status IN (200, 201)
) answer
WHERE answer.merchant_id = i.merchant_id AND answer.object_id = i.id AND jsonb_typeof(answer.next_action) = 'object'
  AND i.next_action IS NULL AND i.status IN ('succeeded', 'failed', 'expired');
ALTER TABLE "topup_intent" ENABLE TRIGGER "topup_intent_terminal_is_final";
