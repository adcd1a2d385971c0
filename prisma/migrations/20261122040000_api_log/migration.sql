-- Requests to the API, for developers to look into: inserted in batches beside the traffic, removed when old.

-- CreateTable
CREATE TABLE "api_log" (
    "merchant_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "api_key_id" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "route" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "status" INTEGER NOT NULL,
    "duration_us" INTEGER NOT NULL,
    "address" TEXT NOT NULL,
    "request_body" TEXT,
    "response_body" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "api_log_pkey" PRIMARY KEY ("merchant_id","environment","id")
);

-- CreateIndex
CREATE INDEX "api_log_created_at_idx" ON "api_log"("created_at");

-- --------------------------------------------------------------------------------------------------------------------
-- Guarantees.
-- --------------------------------------------------------------------------------------------------------------------

ALTER TABLE "api_log"
  ADD CONSTRAINT "api_log_environment_known" CHECK (environment IN ('test', 'live')),
  ADD CONSTRAINT "api_log_status_in_range" CHECK (status BETWEEN 100 AND 599);

CREATE TRIGGER "api_log_is_written_once" BEFORE UPDATE ON "api_log"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('api_log_is_written_once');
