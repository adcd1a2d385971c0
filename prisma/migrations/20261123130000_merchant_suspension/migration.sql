-- A merchant that the operator has suspended: reads and cancellations work, nothing new begins, nothing is sent.

-- AlterTable
ALTER TABLE "merchant" ADD COLUMN "suspended_at" TIMESTAMPTZ(3),
ADD COLUMN "suspended_because" TEXT;

-- --------------------------------------------------------------------------------------------------------------------
-- Guarantees.
-- --------------------------------------------------------------------------------------------------------------------

ALTER TABLE "merchant" ADD CONSTRAINT "merchant_suspension_has_a_reason"
  CHECK ((suspended_at IS NULL) = (suspended_because IS NULL));

CREATE FUNCTION "require_active_merchant"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM merchant m WHERE m.id = NEW.merchant_id AND m.suspended_at IS NOT NULL) THEN
    RAISE EXCEPTION 'row of merchant % violates rule "merchant_is_active"', NEW.merchant_id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'merchant_is_active';
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER "payment_intent_merchant_is_active" BEFORE INSERT ON "payment_intent"
  FOR EACH ROW EXECUTE FUNCTION "require_active_merchant"();
CREATE TRIGGER "payout_intent_merchant_is_active" BEFORE INSERT ON "payout_intent"
  FOR EACH ROW EXECUTE FUNCTION "require_active_merchant"();
CREATE TRIGGER "topup_intent_merchant_is_active" BEFORE INSERT ON "topup_intent"
  FOR EACH ROW EXECUTE FUNCTION "require_active_merchant"();
CREATE TRIGGER "approval_merchant_is_active" BEFORE INSERT ON "approval"
  FOR EACH ROW EXECUTE FUNCTION "require_active_merchant"();

-- As before, and while the merchant is suspended: a payout that was approved before waits.
CREATE OR REPLACE FUNCTION "require_running_dispatch"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM dispatch_pause d
    WHERE d.resumed_at IS NULL
      AND (d.provider IS NULL OR d.provider = NEW.provider)
      AND (d.merchant_id IS NULL OR d.merchant_id = NEW.merchant_id)
      AND (d.currency IS NULL OR EXISTS (
        SELECT FROM payout_intent i
        WHERE i.merchant_id = NEW.merchant_id AND i.id = NEW.intent_id AND i.currency = d.currency))
  ) OR EXISTS (SELECT FROM installation n WHERE n.database_identity <> current_database_identity())
    OR EXISTS (SELECT FROM merchant m WHERE m.id = NEW.merchant_id AND m.suspended_at IS NOT NULL)
  THEN
    RAISE EXCEPTION 'attempt about % violates rule "dispatch_is_running"', NEW.intent_id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'dispatch_is_running';
  END IF;
  RETURN NEW;
END
$$;
