-- Finds an intent by the name that its provider gave it. A call gets its reference with the answer, so a create inserts
-- nothing here. On a large table, create it by hand with CONCURRENTLY first.
CREATE INDEX IF NOT EXISTS "provider_attempt_by_provider_reference"
  ON "provider_attempt" (merchant_id, environment, provider_reference) WHERE provider_reference IS NOT NULL;
