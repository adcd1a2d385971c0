-- A clock per merchant that runs ahead of the database's, in the test environment only.

-- CreateTable
CREATE TABLE "sandbox_clock" (
    "merchant_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL DEFAULT 'test',
    "offset_ms" BIGINT NOT NULL,
    "moved_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sandbox_clock_pkey" PRIMARY KEY ("merchant_id","environment")
);

-- AddForeignKey
ALTER TABLE "sandbox_clock" ADD CONSTRAINT "sandbox_clock_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- --------------------------------------------------------------------------------------------------------------------
-- Guarantees.
-- --------------------------------------------------------------------------------------------------------------------

-- 34,560,000,000 ms are 400 days.
ALTER TABLE "sandbox_clock"
  ADD CONSTRAINT "sandbox_clock_environment_is_test" CHECK (environment = 'test'),
  ADD CONSTRAINT "sandbox_clock_offset_in_range" CHECK (offset_ms BETWEEN 0 AND 34560000000);

-- Time does not run backwards: what has expired stays expired.
CREATE TRIGGER "sandbox_clock_moves_forward" BEFORE UPDATE ON "sandbox_clock"
  FOR EACH ROW WHEN (NEW.offset_ms < OLD.offset_ms OR NEW.merchant_id <> OLD.merchant_id)
  EXECUTE FUNCTION "refuse_change"('sandbox_clock_moves_forward');
CREATE TRIGGER "sandbox_clock_stays" BEFORE DELETE ON "sandbox_clock"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('sandbox_clock_stays');

-- What is due by a clock of its own is looked for merchant by merchant; live rows are in none of these.
CREATE INDEX "payment_intent_due_in_test" ON "payment_intent" (merchant_id, due_at)
  WHERE due_at IS NOT NULL AND environment = 'test';
CREATE INDEX "payout_intent_due_in_test" ON "payout_intent" (merchant_id, due_at)
  WHERE due_at IS NOT NULL AND environment = 'test';
CREATE INDEX "topup_intent_due_in_test" ON "topup_intent" (merchant_id, due_at)
  WHERE due_at IS NOT NULL AND environment = 'test';
