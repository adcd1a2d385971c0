-- Lines of settlement files that people booked by hand. An import decides on a line in one cell and leaves alone what is noted
-- there. Such a note stays when the merchant of the journal entry moves (docs/decisions/0085).
CREATE TABLE "hand_booked_line" (
    "environment" TEXT NOT NULL,
    "fact" TEXT NOT NULL,
    "object_id" TEXT NOT NULL,
    "line_id" TEXT NOT NULL,
    "booked_for" TEXT,
    "noted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "hand_booked_line_pkey" PRIMARY KEY ("environment","fact")
);

ALTER TABLE "hand_booked_line"
  ADD CONSTRAINT "hand_booked_line_environment_known" CHECK (environment IN ('test', 'live')),
  ADD CONSTRAINT "hand_booked_line_is_about_a_line"
    CHECK (fact ~ '^(missing_internal|duplicate|unassigned_fee):[a-z][a-z0-9_-]{0,31}:[0-9a-f]{64}$');

INSERT INTO "hand_booked_line" (environment, fact, object_id, line_id, booked_for, noted_at)
SELECT j.environment, x.fact, x.object_id, x.detail->>'line_id', j.merchant_id, j.decided_at
FROM "journal_entry" j JOIN "exception" x ON x.merchant_id IN (j.merchant_id, '') AND x.id = j.exception_id
WHERE j.state = 'confirmed' AND x.detail->>'line_id' IS NOT NULL
  AND x.fact ~ '^(missing_internal|duplicate|unassigned_fee):[a-z][a-z0-9_-]{0,31}:[0-9a-f]{64}$'
ON CONFLICT DO NOTHING;

CREATE TRIGGER "hand_booked_line_is_append_only" BEFORE UPDATE OR DELETE ON "hand_booked_line"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('hand_booked_line_is_append_only');
CREATE TRIGGER "hand_booked_line_is_not_truncated" BEFORE TRUNCATE ON "hand_booked_line"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"('hand_booked_line_is_not_truncated');

-- The rows are nobody's: they tell of merchants beside each other.
ALTER TABLE "hand_booked_line" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "hand_booked_line_within_reach" ON "hand_booked_line" USING (within_reach(''));
