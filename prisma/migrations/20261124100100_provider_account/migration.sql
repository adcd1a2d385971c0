-- The account at the provider that a call used. Null: sent by an older release, or by an adapter that names no accounts.
ALTER TABLE "provider_attempt" ADD COLUMN IF NOT EXISTS "provider_account" TEXT;

-- No older row has an account, so there is nothing to validate.
ALTER TABLE "provider_attempt"
  ADD CONSTRAINT "provider_attempt_account_length" CHECK (length(provider_account) BETWEEN 1 AND 255) NOT VALID;

-- Callbacks of built-in adapters name no merchant. Calls through other adapters have no account and cost nothing here.
CREATE INDEX IF NOT EXISTS "provider_attempt_with_account" ON "provider_attempt"("provider", "reference")
  WHERE provider_account IS NOT NULL;
