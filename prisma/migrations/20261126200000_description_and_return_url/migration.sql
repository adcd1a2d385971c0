-- What a payment is for, and the merchant's page that the payer's page leads back to.

-- AlterTable
ALTER TABLE "payment_intent" ADD COLUMN IF NOT EXISTS "description" TEXT, ADD COLUMN IF NOT EXISTS "return_url" TEXT;

-- The payer follows the address: nobody may replace it. The audit log has both.
CREATE TRIGGER "payment_intent_payer_texts_are_fixed" BEFORE UPDATE OF description, return_url ON "payment_intent"
  FOR EACH ROW WHEN ((OLD.description, OLD.return_url) IS DISTINCT FROM (NEW.description, NEW.return_url))
  EXECUTE FUNCTION "refuse_change"('payment_intent_identity_is_fixed');
