-- The object that a request is about, so that the requests about an object can be listed. Earlier requests have none.
ALTER TABLE "api_log" ADD COLUMN IF NOT EXISTS "object_id" TEXT;

-- On a large table, create it by hand with CONCURRENTLY first.
CREATE INDEX IF NOT EXISTS "api_log_by_object" ON "api_log" (merchant_id, environment, object_id, id DESC)
  WHERE object_id IS NOT NULL;
