-- What members look through on the dashboard: their merchant's exceptions, and what settlement files say of it.

-- CreateIndex
CREATE INDEX "exception_merchant_id_environment_opened_at_id_idx" ON "exception"("merchant_id", "environment", "opened_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "settlement_file_environment_imported_at_id_idx" ON "settlement_file"("environment", "imported_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "settlement_line_merchant_id_provider_file_id_verdict_row_idx" ON "settlement_line"("merchant_id", "provider", "file_id", "verdict", "row");

-- What waits is found at once, however much is resolved.
CREATE INDEX "exception_open_of_merchant" ON "exception" (merchant_id, environment, opened_at DESC, id DESC)
  WHERE resolved_at IS NULL;
