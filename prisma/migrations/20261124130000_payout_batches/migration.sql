-- Payouts that a member created from one file.

-- AlterTable
ALTER TABLE "payout_intent" ADD COLUMN IF NOT EXISTS "batch_id" TEXT;

-- Not validated, which would read the table under a lock: no payout from before has a batch.
ALTER TABLE "payout_intent"
  ADD CONSTRAINT "payout_intent_batch_has_recipients" CHECK (batch_id IS NULL OR recipient_id IS NOT NULL) NOT VALID;

CREATE TRIGGER "payout_intent_batch_is_fixed" BEFORE UPDATE OF batch_id ON "payout_intent"
  FOR EACH ROW WHEN (OLD.batch_id IS DISTINCT FROM NEW.batch_id)
  EXECUTE FUNCTION "refuse_change"('payout_intent_identity_is_fixed');

-- It finds the payouts of a batch. Payouts of no batch are not in it.
CREATE INDEX IF NOT EXISTS "payout_intent_by_batch" ON "payout_intent" (merchant_id, environment, batch_id, id)
  WHERE batch_id IS NOT NULL;
