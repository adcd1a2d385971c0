-- Limits of an API key, set when it is created. NULL means no limit, as for every key from before.
ALTER TABLE "api_key"
  ADD COLUMN "scopes" TEXT[],
  ADD COLUMN "networks" TEXT[],
  ADD COLUMN "valid_until" TIMESTAMPTZ(3);

ALTER TABLE "api_key"
  ADD CONSTRAINT "api_key_scopes_known" CHECK (
    cardinality(scopes) > 0 AND scopes <@ ARRAY[
      'payment_intents:read', 'payment_intents:write', 'payout_intents:read', 'payout_intents:write',
      'topup_intents:read', 'topup_intents:write', 'wallets:read', 'payment_methods:read', 'events:read', 'events:write',
      'webhook_endpoints:read', 'webhook_endpoints:write', 'sandbox:read', 'sandbox:write'
    ]),
  ADD CONSTRAINT "api_key_networks_given" CHECK (
    cardinality(networks) BETWEEN 1 AND 20 AND array_position(networks, NULL) IS NULL);

-- What a key may do never grows: its limits never change.
CREATE TRIGGER "api_key_limits_stay" BEFORE UPDATE OF scopes, networks, valid_until ON "api_key"
  FOR EACH ROW WHEN ((OLD.scopes, OLD.networks, OLD.valid_until) IS DISTINCT FROM (NEW.scopes, NEW.networks, NEW.valid_until))
  EXECUTE FUNCTION "refuse_change"('api_key_limits_stay');
