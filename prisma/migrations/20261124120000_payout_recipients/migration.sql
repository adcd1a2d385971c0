-- Saved recipients of payouts that members create. A new one cannot be paid before the end of its cool-off.

-- AlterTable
ALTER TABLE "merchant" ADD COLUMN     "recipient_cool_off_live_seconds" INTEGER NOT NULL DEFAULT 86400,
ADD COLUMN     "recipient_cool_off_test_seconds" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "payout_intent" ADD COLUMN     "recipient_id" TEXT;

-- CreateTable
CREATE TABLE "payout_recipient" (
    "merchant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "holder_name" TEXT NOT NULL,
    "bank_code" TEXT NOT NULL,
    "country" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "account_sealed" TEXT NOT NULL,
    "account_last4" TEXT NOT NULL,
    "saved_by_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "usable_from" TIMESTAMPTZ(3) NOT NULL,
    "removed_at" TIMESTAMPTZ(3),

    CONSTRAINT "payout_recipient_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateIndex
CREATE INDEX "payout_recipient_merchant_id_environment_id_idx" ON "payout_recipient"("merchant_id", "environment", "id");

-- AddForeignKey
ALTER TABLE "payout_recipient" ADD CONSTRAINT "payout_recipient_merchant_id_saved_by_id_fkey" FOREIGN KEY ("merchant_id", "saved_by_id") REFERENCES "member"("merchant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- --------------------------------------------------------------------------------------------------------------------
-- Guarantees.
-- --------------------------------------------------------------------------------------------------------------------

ALTER TABLE "merchant"
  ADD CONSTRAINT "merchant_recipient_cool_off_live_bounded" CHECK (recipient_cool_off_live_seconds BETWEEN 0 AND 2592000),
  ADD CONSTRAINT "merchant_recipient_cool_off_test_bounded" CHECK (recipient_cool_off_test_seconds BETWEEN 0 AND 2592000);

ALTER TABLE "payout_recipient"
  ADD CONSTRAINT "payout_recipient_environment_known" CHECK (environment IN ('test', 'live')),
  ADD CONSTRAINT "payout_recipient_holder_name_length" CHECK (length(holder_name) BETWEEN 1 AND 255),
  ADD CONSTRAINT "payout_recipient_bank_code_length" CHECK (length(bank_code) BETWEEN 1 AND 64),
  ADD CONSTRAINT "payout_recipient_country_form" CHECK (country ~ '^[A-Z]{2}$'),
  ADD CONSTRAINT "payout_recipient_currency_form" CHECK (currency ~ '^[A-Z]{3,6}$'),
  ADD CONSTRAINT "payout_recipient_usable_after_creation" CHECK (usable_from >= created_at);

-- A saved recipient only ever gets its account sealed under another key, or is removed.
CREATE TRIGGER "payout_recipient_content_is_fixed" BEFORE UPDATE ON "payout_recipient"
  FOR EACH ROW WHEN (
    OLD.removed_at IS DISTINCT FROM NEW.removed_at AND OLD.removed_at IS NOT NULL
    OR (OLD.merchant_id, OLD.id, OLD.environment, OLD.holder_name, OLD.bank_code, OLD.country, OLD.currency,
        OLD.account_last4, OLD.saved_by_id, OLD.created_at, OLD.usable_from)
       IS DISTINCT FROM
       (NEW.merchant_id, NEW.id, NEW.environment, NEW.holder_name, NEW.bank_code, NEW.country, NEW.currency,
        NEW.account_last4, NEW.saved_by_id, NEW.created_at, NEW.usable_from))
  EXECUTE FUNCTION "refuse_change"('payout_recipient_content_is_fixed');

CREATE TRIGGER "payout_recipient_stays" BEFORE DELETE ON "payout_recipient"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('payout_recipient_stays');

CREATE TRIGGER "payout_recipient_is_not_truncated" BEFORE TRUNCATE ON "payout_recipient"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"('payout_recipient_is_not_truncated');

ALTER TABLE "payout_recipient" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "payout_recipient_within_reach" ON "payout_recipient" USING (within_reach(merchant_id));

-- A payout to a saved recipient: the recipient is of the same environment, was not removed, can be paid by then, and is the
-- one that the payout names.
CREATE FUNCTION "require_usable_recipient"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM payout_recipient r
    WHERE r.merchant_id = NEW.merchant_id AND r.id = NEW.recipient_id AND r.environment = NEW.environment
      AND r.removed_at IS NULL AND r.usable_from <= NEW.created_at
      AND (r.holder_name, r.bank_code, r.country, r.currency, r.account_last4)
        = (NEW.recipient_holder_name, NEW.recipient_bank_code, NEW.country, NEW.currency, NEW.recipient_last4))
  THEN
    RAISE EXCEPTION 'payout % violates rule "payout_recipient_is_usable"', NEW.id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'payout_recipient_is_usable';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER "payout_intent_recipient_is_usable" BEFORE INSERT ON "payout_intent"
  FOR EACH ROW WHEN (NEW.recipient_id IS NOT NULL) EXECUTE FUNCTION "require_usable_recipient"();

CREATE TRIGGER "payout_intent_recipient_is_fixed" BEFORE UPDATE OF recipient_id ON "payout_intent"
  FOR EACH ROW WHEN (OLD.recipient_id IS DISTINCT FROM NEW.recipient_id)
  EXECUTE FUNCTION "refuse_change"('payout_intent_identity_is_fixed');

-- Replaces the makers of new payouts: whoever saved the recipient chose the account, and is a maker too.
CREATE OR REPLACE FUNCTION "fill_makers"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.makers := makers_of(NEW.merchant_id, NEW.created_by_type, NEW.created_by_id);
  IF NEW.recipient_id IS NOT NULL THEN
    NEW.makers := ARRAY(
      SELECT unnest(NEW.makers)
      UNION
      SELECT r.saved_by_id FROM payout_recipient r WHERE r.merchant_id = NEW.merchant_id AND r.id = NEW.recipient_id
      ORDER BY 1);
  END IF;
  RETURN NEW;
END
$$;
