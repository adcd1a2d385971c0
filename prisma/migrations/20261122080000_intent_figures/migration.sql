-- How payments and payouts ended, added up by the worker after the commit, so that an overview reads hours, not intents.

-- CreateTable
CREATE TABLE "intent_figure" (
    "merchant_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "minutes" INTEGER NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "kind" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "failure_code" TEXT NOT NULL,
    "count" BIGINT NOT NULL,
    "amount" DECIMAL(60,0) NOT NULL,

    CONSTRAINT "intent_figure_pkey" PRIMARY KEY ("merchant_id","environment","minutes","starts_at","kind","currency","status","failure_code")
);

-- CreateTable
CREATE TABLE "figure_mark" (
    "merchant_id" TEXT NOT NULL,
    "last_sequence" BIGINT NOT NULL,

    CONSTRAINT "figure_mark_pkey" PRIMARY KEY ("merchant_id")
);

-- --------------------------------------------------------------------------------------------------------------------
-- Guarantees.
-- --------------------------------------------------------------------------------------------------------------------

ALTER TABLE "intent_figure"
  ADD CONSTRAINT "intent_figure_environment_known" CHECK (environment IN ('test', 'live')),
  ADD CONSTRAINT "intent_figure_kind_known" CHECK (kind IN ('payment_intent', 'payout_intent')),
  ADD CONSTRAINT "intent_figure_minutes_known" CHECK (minutes IN (15, 60)),
  ADD CONSTRAINT "intent_figure_count_positive" CHECK (count > 0),
  ADD CONSTRAINT "intent_figure_amount_positive" CHECK (amount > 0);

ALTER TABLE "figure_mark"
  ADD CONSTRAINT "figure_mark_sequence_counts_from_one" CHECK (last_sequence >= 1);

-- What was added up is never added up again.
CREATE TRIGGER "figure_mark_moves_forward" BEFORE UPDATE ON "figure_mark"
  FOR EACH ROW WHEN (NEW.last_sequence <= OLD.last_sequence OR NEW.merchant_id <> OLD.merchant_id)
  EXECUTE FUNCTION "refuse_change"('figure_mark_moves_forward');
CREATE TRIGGER "figure_mark_stays" BEFORE DELETE ON "figure_mark"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('figure_mark_stays');

-- The rows of the present hour change every second of a busy one, and no index has what changes: room for it in place.
ALTER TABLE "intent_figure" SET (fillfactor = 80);
ALTER TABLE "figure_mark" SET (fillfactor = 50);
