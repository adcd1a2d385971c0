-- A scope for keys that read the API log.
ALTER TABLE "api_key"
  DROP CONSTRAINT "api_key_scopes_known",
  ADD CONSTRAINT "api_key_scopes_known" CHECK (
    cardinality(scopes) > 0 AND scopes <@ ARRAY[
      'payment_intents:read', 'payment_intents:write', 'payout_intents:read', 'payout_intents:write',
      'topup_intents:read', 'topup_intents:write', 'wallets:read', 'payment_methods:read', 'events:read', 'events:write',
      'webhook_endpoints:read', 'webhook_endpoints:write', 'sandbox:read', 'sandbox:write', 'api_logs:read'
    ]);
