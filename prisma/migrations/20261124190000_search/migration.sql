-- What the dashboard's search finds intents by: references, names and amounts. The worker fills it after the commit, so that
-- no request pays for it.

-- CreateTable
CREATE TABLE "search_term" (
    "merchant_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "field" TEXT NOT NULL,
    "term" TEXT NOT NULL,
    "rank" BIGINT NOT NULL,
    "object_id" TEXT NOT NULL,

    CONSTRAINT "search_term_pkey" PRIMARY KEY ("merchant_id","environment","kind","field","term","rank","object_id")
);

-- CreateTable
CREATE TABLE "search_mark" (
    "merchant_id" TEXT NOT NULL,
    "last_sequence" BIGINT NOT NULL,

    CONSTRAINT "search_mark_pkey" PRIMARY KEY ("merchant_id")
);

-- --------------------------------------------------------------------------------------------------------------------
-- Guarantees.
-- --------------------------------------------------------------------------------------------------------------------

-- A prefix is a range of terms only in the order of their bytes.
ALTER TABLE "search_term" ALTER COLUMN "term" TYPE TEXT COLLATE "C";

ALTER TABLE "search_term"
  ADD CONSTRAINT "search_term_environment_known" CHECK (environment IN ('test', 'live')),
  ADD CONSTRAINT "search_term_kind_known" CHECK (kind IN ('payment_intent', 'payout_intent', 'topup_intent')),
  ADD CONSTRAINT "search_term_field_known" CHECK (field IN ('reference', 'name', 'amount')),
  ADD CONSTRAINT "search_term_length" CHECK (length(term) BETWEEN 1 AND 100);

ALTER TABLE "search_mark"
  ADD CONSTRAINT "search_mark_sequence_counts_from_one" CHECK (last_sequence >= 1);

-- Two workers that read the same place: one finds it moved.
CREATE TRIGGER "search_mark_moves_forward" BEFORE UPDATE ON "search_mark"
  FOR EACH ROW WHEN (NEW.last_sequence <= OLD.last_sequence OR NEW.merchant_id <> OLD.merchant_id)
  EXECUTE FUNCTION "refuse_change"('search_mark_moves_forward');

CREATE TRIGGER "search_term_is_not_truncated" BEFORE TRUNCATE ON "search_term"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"('search_term_is_not_truncated');
CREATE TRIGGER "search_mark_is_not_truncated" BEFORE TRUNCATE ON "search_mark"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"('search_mark_is_not_truncated');

ALTER TABLE "search_term" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "search_term_within_reach" ON "search_term" USING (within_reach(merchant_id));
ALTER TABLE "search_mark" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "search_mark_within_reach" ON "search_mark" USING (within_reach(merchant_id));

-- The mark of a busy merchant moves every second.
ALTER TABLE "search_mark" SET (fillfactor = 50);

-- A text as it is stored and searched: without case and accents, and at most 100 characters.
CREATE FUNCTION "search_folded"(value text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN left(
    btrim(regexp_replace(regexp_replace(lower(normalize(value, NFKD)), U&'[\0300-\036F]', '', 'g'), '\s+', ' ', 'g')),
    100);

-- Saved recipients are few, and searched as they are.
CREATE INDEX "payout_recipient_present" ON "payout_recipient" (merchant_id, environment) WHERE removed_at IS NULL;
