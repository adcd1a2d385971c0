-- Each filter of a list is a range of an index in the list's own order: without it a rare value reads every row.
-- CreateIndex
CREATE INDEX "payment_intent_by_country" ON "payment_intent"("merchant_id", "environment", "country", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "payment_intent_by_currency" ON "payment_intent"("merchant_id", "environment", "currency", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "payment_intent_by_payment_method" ON "payment_intent"("merchant_id", "environment", "payment_method", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "payout_intent_by_country" ON "payout_intent"("merchant_id", "environment", "country", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "payout_intent_by_currency" ON "payout_intent"("merchant_id", "environment", "currency", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "topup_intent_by_country" ON "topup_intent"("merchant_id", "environment", "country", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "topup_intent_by_destination_currency" ON "topup_intent"("merchant_id", "environment", "destination_currency", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "topup_intent_by_source_type" ON "topup_intent"("merchant_id", "environment", "source_type", "created_at" DESC, "id" DESC);

-- --------------------------------------------------------------------------------------------------------------------
-- The primary keys are made anew after them, for the reason that the first migration gives: of equals the planner takes
-- the newest, and while a table has no statistics every index that starts with merchant_id looks equally good.
-- --------------------------------------------------------------------------------------------------------------------

ALTER TABLE "payment_intent"
  DROP CONSTRAINT "payment_intent_pkey", ADD CONSTRAINT "payment_intent_pkey" PRIMARY KEY ("merchant_id", "id");
ALTER TABLE "topup_intent"
  DROP CONSTRAINT "topup_intent_pkey", ADD CONSTRAINT "topup_intent_pkey" PRIMARY KEY ("merchant_id", "id");

ALTER TABLE "approval" DROP CONSTRAINT "approval_payout_fkey";
ALTER TABLE "payout_intent"
  DROP CONSTRAINT "payout_intent_pkey", ADD CONSTRAINT "payout_intent_pkey" PRIMARY KEY ("merchant_id", "id");
ALTER TABLE "approval"
  ADD CONSTRAINT "approval_payout_fkey" FOREIGN KEY (merchant_id, payout_id)
    REFERENCES "payout_intent" (merchant_id, id);
