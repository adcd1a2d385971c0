-- The reference under which a provider knows an intent. Null means the intent's own id: so it is for every intent that was
-- made before references were derived, for one without a merchant reference, and for one that older code inserts.

-- AlterTable
ALTER TABLE "payment_intent" ADD COLUMN "dispatch_reference" TEXT;

-- AlterTable
ALTER TABLE "payout_intent" ADD COLUMN "dispatch_reference" TEXT;

-- AlterTable
ALTER TABLE "topup_intent" ADD COLUMN "dispatch_reference" TEXT;

-- AlterTable
ALTER TABLE "provider_attempt" ADD COLUMN "reference" TEXT;

-- CreateTable
CREATE TABLE "installation" (
    "single" BOOLEAN NOT NULL DEFAULT true,
    "reference_key_id" TEXT,
    "references_derived_at" TIMESTAMPTZ(3),

    CONSTRAINT "installation_pkey" PRIMARY KEY ("single")
);

-- A derived reference never has the form of an id, so that neither can be taken for the other.
ALTER TABLE "payment_intent"
  ADD CONSTRAINT "payment_intent_dispatch_reference_form" CHECK (dispatch_reference ~ '^dord_[0-9a-z]{8}_[0-9a-z]{26}$');
CREATE UNIQUE INDEX "payment_intent_dispatch_reference_key" ON "payment_intent" (merchant_id, dispatch_reference)
  WHERE dispatch_reference IS NOT NULL;
CREATE TRIGGER "payment_intent_dispatch_reference_is_fixed" BEFORE UPDATE OF dispatch_reference ON "payment_intent"
  FOR EACH ROW WHEN (OLD.dispatch_reference IS DISTINCT FROM NEW.dispatch_reference)
  EXECUTE FUNCTION "refuse_change"('payment_intent_identity_is_fixed');
ALTER TABLE "payout_intent"
  ADD CONSTRAINT "payout_intent_dispatch_reference_form" CHECK (dispatch_reference ~ '^word_[0-9a-z]{8}_[0-9a-z]{26}$');
CREATE UNIQUE INDEX "payout_intent_dispatch_reference_key" ON "payout_intent" (merchant_id, dispatch_reference)
  WHERE dispatch_reference IS NOT NULL;
CREATE TRIGGER "payout_intent_dispatch_reference_is_fixed" BEFORE UPDATE OF dispatch_reference ON "payout_intent"
  FOR EACH ROW WHEN (OLD.dispatch_reference IS DISTINCT FROM NEW.dispatch_reference)
  EXECUTE FUNCTION "refuse_change"('payout_intent_identity_is_fixed');
ALTER TABLE "topup_intent"
  ADD CONSTRAINT "topup_intent_dispatch_reference_form" CHECK (dispatch_reference ~ '^tuin_[0-9a-z]{8}_[0-9a-z]{26}$');
CREATE UNIQUE INDEX "topup_intent_dispatch_reference_key" ON "topup_intent" (merchant_id, dispatch_reference)
  WHERE dispatch_reference IS NOT NULL;
CREATE TRIGGER "topup_intent_dispatch_reference_is_fixed" BEFORE UPDATE OF dispatch_reference ON "topup_intent"
  FOR EACH ROW WHEN (OLD.dispatch_reference IS DISTINCT FROM NEW.dispatch_reference)
  EXECUTE FUNCTION "refuse_change"('topup_intent_identity_is_fixed');

-- Older code announces a call without the reference, and sends the intent's id. Under that name the provider would execute
-- an intent with a derived reference a second time, so such a call cannot be announced. Current code never fires this.
CREATE FUNCTION "require_reference_of_attempt"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM payment_intent i WHERE i.merchant_id = NEW.merchant_id AND i.id = NEW.intent_id
               AND i.dispatch_reference IS NOT NULL)
    OR EXISTS (SELECT FROM payout_intent i WHERE i.merchant_id = NEW.merchant_id AND i.id = NEW.intent_id
               AND i.dispatch_reference IS NOT NULL)
    OR EXISTS (SELECT FROM topup_intent i WHERE i.merchant_id = NEW.merchant_id AND i.id = NEW.intent_id
               AND i.dispatch_reference IS NOT NULL)
  THEN
    RAISE EXCEPTION 'attempt about % violates rule "provider_attempt_names_reference"', NEW.intent_id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'provider_attempt_names_reference';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER "provider_attempt_names_reference" BEFORE INSERT ON "provider_attempt"
  FOR EACH ROW WHEN (NEW.reference IS NULL) EXECUTE FUNCTION "require_reference_of_attempt"();

-- At most one row, about this database as a whole. The key of derived references never changes: another key would give a retried
-- payment another reference, under which the provider would execute it again.
ALTER TABLE "installation"
  ADD CONSTRAINT "installation_one_row" CHECK (single),
  ADD CONSTRAINT "installation_key_since" CHECK ((reference_key_id IS NULL) = (references_derived_at IS NULL));
CREATE TRIGGER "installation_reference_key_is_fixed" BEFORE UPDATE ON "installation"
  FOR EACH ROW WHEN (OLD.reference_key_id IS NOT NULL AND
    (OLD.reference_key_id, OLD.references_derived_at)
      IS DISTINCT FROM (NEW.reference_key_id, NEW.references_derived_at))
  EXECUTE FUNCTION "refuse_change"('installation_reference_key_is_fixed');
CREATE TRIGGER "installation_stays" BEFORE DELETE ON "installation"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('installation_stays');
