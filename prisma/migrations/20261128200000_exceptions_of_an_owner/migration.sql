-- A member's exceptions, and those of nobody, are found without reading the others.

-- CreateIndex
CREATE INDEX "exception_merchant_id_environment_owner_id_opened_at_id_idx" ON "exception"("merchant_id", "environment", "owner_id", "opened_at" DESC, "id" DESC);

CREATE INDEX "exception_open_of_owner" ON "exception" (merchant_id, environment, owner_id, opened_at DESC, id DESC)
  WHERE resolved_at IS NULL AND owner_id IS NOT NULL;

-- IS NULL is no equality for the order of an index: nobody's have one of their own.
CREATE INDEX "exception_open_of_nobody" ON "exception" (merchant_id, environment, opened_at DESC, id DESC)
  WHERE resolved_at IS NULL AND owner_id IS NULL;
