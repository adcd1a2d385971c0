-- Totals of top-ups. The outcome depends on what was reported in time, in any order, so the largest total seen and the
-- largest confirmed one are stored. After the end they are stored step by step beside the row, which is final.

-- AlterTable
ALTER TABLE "topup_intent"
  ADD COLUMN "seen_amount" DECIMAL(38,0) NOT NULL DEFAULT 0,
  ADD COLUMN "reported_amount" DECIMAL(38,0);

-- Open rows. In processing, received_amount was what had been seen and was not confirmed.
UPDATE "topup_intent" SET seen_amount = received_amount, reported_amount = received_amount
WHERE status = 'requires_payment';
UPDATE "topup_intent" SET seen_amount = received_amount, reported_amount = 0, received_amount = 0
WHERE status = 'processing';

-- CreateTable
CREATE TABLE "topup_total" (
    "merchant_id" TEXT NOT NULL,
    "intent_id" TEXT NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "environment" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "base_amount" DECIMAL(38,0) NOT NULL,
    "reported_amount" DECIMAL(38,0) NOT NULL,
    "seen_amount" DECIMAL(38,0) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "topup_total_pkey" PRIMARY KEY ("merchant_id","intent_id","ordinal")
);

-- --------------------------------------------------------------------------------------------------------------------
-- Guarantees.
-- --------------------------------------------------------------------------------------------------------------------

ALTER TABLE "topup_intent"
  ADD CONSTRAINT "topup_intent_seen_amount_not_negative" CHECK (seen_amount >= 0),
  ADD CONSTRAINT "topup_intent_reported_amount_not_negative" CHECK (reported_amount >= 0);

ALTER TABLE "topup_total"
  ADD CONSTRAINT "topup_total_intent_id_prefix" CHECK (starts_with(intent_id, 'tuin_')),
  ADD CONSTRAINT "topup_total_environment_known" CHECK (environment IN ('test', 'live')),
  ADD CONSTRAINT "topup_total_ordinal_counts_from_zero" CHECK (ordinal >= 0),
  ADD CONSTRAINT "topup_total_currency_form" CHECK (currency ~ '^[A-Z]{3,6}$'),
  ADD CONSTRAINT "topup_total_reported_grows" CHECK (base_amount BETWEEN 0 AND reported_amount),
  ADD CONSTRAINT "topup_total_seen_amount_not_negative" CHECK (seen_amount >= 0);

CREATE TRIGGER "topup_total_is_append_only" BEFORE UPDATE OR DELETE ON "topup_total"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('topup_total_is_append_only');
