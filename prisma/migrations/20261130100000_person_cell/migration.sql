-- In which further cells a person may be a member. Only the first cell has rows. A row is a hint: the cell itself says who is a
-- member of it, so a row too many is harmless.
CREATE TABLE "person_cell" (
    "person" TEXT NOT NULL,
    "cell_tag" TEXT NOT NULL,
    "noted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "person_cell_pkey" PRIMARY KEY ("person", "cell_tag")
);

ALTER TABLE "person_cell"
  ADD CONSTRAINT "person_cell_person_form" CHECK (person ~ '^[0-9a-f]{8}\.[0-9a-f]{64}$'),
  ADD CONSTRAINT "person_cell_cell_tag_form" CHECK (cell_tag ~ '^[0-9a-hjkmnp-tv-z]{2}$');

CREATE TRIGGER "person_cell_is_never_changed" BEFORE UPDATE ON "person_cell"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('person_cell_is_never_changed');

CREATE TRIGGER "person_cell_is_not_truncated" BEFORE TRUNCATE ON "person_cell"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"('person_cell_is_not_truncated');
