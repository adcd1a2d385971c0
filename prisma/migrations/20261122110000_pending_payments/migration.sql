-- Payments whose payer has acted: they do not expire with their window, they wait for their provider's report.

-- AlterTable
ALTER TABLE "payment_intent" ADD COLUMN "payer_acted_at" TIMESTAMPTZ(3);

-- Open payments that left their instructions behind did so because their provider reported that the payer had acted.
UPDATE "payment_intent" SET "payer_acted_at" = "updated_at"
WHERE "due_at" IS NOT NULL AND "status" = 'processing' AND "revision" > coalesce(jsonb_array_length("routing"->'left'), 0);

-- That the payer has acted is never taken back; it moves forward when the payer acts again.
CREATE TRIGGER "payment_intent_payer_action_stays" BEFORE UPDATE OF payer_acted_at ON "payment_intent"
  FOR EACH ROW WHEN (OLD.payer_acted_at > NEW.payer_acted_at OR (OLD.payer_acted_at IS NOT NULL AND NEW.payer_acted_at IS NULL))
  EXECUTE FUNCTION "refuse_change"('payment_intent_payer_action_stays');

-- Such a payment expires only by its provider's own final report, never because time has passed. The trigger runs after the
-- statement, so the audit entry that the same commit writes is visible to it.
CREATE FUNCTION "require_provider_expiry"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM audit_entry a
    WHERE a.merchant_id = NEW.merchant_id AND a.object_id = NEW.id AND a.action = 'payment_intent.provider_expired'
  ) THEN
    RAISE EXCEPTION 'expiry of % violates rule "payment_intent_pending_does_not_time_out"', NEW.id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'payment_intent_pending_does_not_time_out';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER "payment_intent_pending_does_not_time_out" AFTER UPDATE OF status ON "payment_intent"
  FOR EACH ROW WHEN (OLD.status = 'processing' AND OLD.payer_acted_at IS NOT NULL AND NEW.status = 'expired')
  EXECUTE FUNCTION "require_provider_expiry"();
