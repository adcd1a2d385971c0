-- The endpoint of an attempt, so that the newest attempts of an endpoint are read without its deliveries. Attempts that an
-- older process records have none; they are left out of the endpoint's figures, which cover a day.
ALTER TABLE "delivery_attempt" ADD COLUMN IF NOT EXISTS "endpoint_id" TEXT;

-- On a large table, create it by hand with CONCURRENTLY first. It holds all that the figures read.
CREATE INDEX IF NOT EXISTS "delivery_attempt_by_endpoint"
  ON "delivery_attempt" (merchant_id, endpoint_id, attempted_at DESC) INCLUDE (status, error, duration_ms)
  WHERE endpoint_id IS NOT NULL;
