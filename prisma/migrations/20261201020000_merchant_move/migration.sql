-- Moves of merchants to other cells (docs/decisions/0082), in the first cell. Only the owner of the tables writes them.
CREATE TABLE "merchant_move" (
    "id" TEXT NOT NULL,
    "merchant" TEXT NOT NULL,
    "from_cell" TEXT NOT NULL,
    "to_cell" TEXT NOT NULL,
    "is_return" BOOLEAN NOT NULL,
    "phase" TEXT NOT NULL DEFAULT 'copying',
    "rows_copied" BIGINT NOT NULL DEFAULT 0,
    "paused_ms" INTEGER,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "phase_since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "merchant_move_pkey" PRIMARY KEY ("id")
);

ALTER TABLE "merchant_move"
  ADD CONSTRAINT "merchant_move_id_prefix" CHECK (starts_with(id, 'mov_')),
  ADD CONSTRAINT "merchant_move_merchant_form" CHECK (merchant ~ '^mer_[0-9a-z_]+$'),
  ADD CONSTRAINT "merchant_move_cells_differ" CHECK (from_cell <> to_cell),
  ADD CONSTRAINT "merchant_move_phase_known" CHECK (
    phase IN ('copying', 'following', 'comparing', 'pausing', 'switched', 'removing', 'done', 'aborting', 'aborted')),
  ADD CONSTRAINT "merchant_move_rows_copied_not_negative" CHECK (rows_copied >= 0),
  ADD CONSTRAINT "merchant_move_paused_ms_not_negative" CHECK (paused_ms >= 0),
  ADD CONSTRAINT "merchant_move_ends_with_its_phase" CHECK ((ended_at IS NOT NULL) = (phase IN ('done', 'aborted')));

-- A merchant has one open move at most.
CREATE UNIQUE INDEX "merchant_move_open" ON "merchant_move" ("merchant") WHERE ended_at IS NULL;

-- The phase goes forward; once the merchant has switched, the move cannot be aborted; what has ended stays.
CREATE TRIGGER "merchant_move_goes_forward" BEFORE UPDATE ON "merchant_move"
  FOR EACH ROW WHEN (
    OLD.ended_at IS NOT NULL
    OR (OLD.id, OLD.merchant, OLD.from_cell, OLD.to_cell, OLD.is_return, OLD.started_at)
       IS DISTINCT FROM (NEW.id, NEW.merchant, NEW.from_cell, NEW.to_cell, NEW.is_return, NEW.started_at)
    OR array_position(ARRAY['copying', 'following', 'comparing', 'pausing', 'switched', 'removing', 'done', 'aborting', 'aborted'], NEW.phase)
       < array_position(ARRAY['copying', 'following', 'comparing', 'pausing', 'switched', 'removing', 'done', 'aborting', 'aborted'], OLD.phase)
    OR (OLD.phase IN ('switched', 'removing') AND NEW.phase IN ('aborting', 'aborted')))
  EXECUTE FUNCTION "refuse_change"('merchant_move_goes_forward');

CREATE TRIGGER "merchant_move_stays" BEFORE DELETE ON "merchant_move"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('merchant_move_stays');

CREATE TRIGGER "merchant_move_is_not_truncated" BEFORE TRUNCATE ON "merchant_move"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"('merchant_move_is_not_truncated');

-- Keys of rows that changed in the old cell while the merchant's rows were copied; the move deletes them once it has copied
-- these rows again.
CREATE TABLE "merchant_move_change" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant" TEXT NOT NULL,
    "table_name" TEXT NOT NULL,
    "key" JSONB NOT NULL,

    CONSTRAINT "merchant_move_change_pkey" PRIMARY KEY ("id")
);

ALTER TABLE "merchant_move_change"
  ADD CONSTRAINT "merchant_move_change_merchant_form" CHECK (merchant ~ '^mer_[0-9a-z_]+$'),
  ADD CONSTRAINT "merchant_move_change_key_object" CHECK (jsonb_typeof(key) = 'object');

CREATE INDEX "merchant_move_change_merchant_idx" ON "merchant_move_change"("merchant");

CREATE TRIGGER "merchant_move_change_is_not_truncated" BEFORE TRUNCATE ON "merchant_move_change"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"('merchant_move_change_is_not_truncated');

-- Notes the key of the changed row. A move makes the triggers that call it, for its merchant alone. Arguments: the merchant, the
-- table (a partition has another name), the columns of the key. It runs with its owner's rights, since the service's role must
-- not write the table.
CREATE FUNCTION note_move_change() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  key_columns text[] := TG_ARGV[2:];
  before_key jsonb;
  after_key jsonb;
BEGIN
  IF TG_OP <> 'INSERT' THEN
    SELECT jsonb_object_agg(name, to_jsonb(OLD) -> name) INTO before_key FROM unnest(key_columns) AS name;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    SELECT jsonb_object_agg(name, to_jsonb(NEW) -> name) INTO after_key FROM unnest(key_columns) AS name;
  END IF;
  INSERT INTO merchant_move_change (merchant, table_name, key)
  SELECT DISTINCT TG_ARGV[0], TG_ARGV[1], key FROM unnest(ARRAY[before_key, after_key]) AS key WHERE key IS NOT NULL;
  RETURN NULL;
END
$$;
REVOKE EXECUTE ON FUNCTION note_move_change FROM PUBLIC;

-- Opens merchants again whose move was killed during its pause; returns how many. A move that is alive has the lock in its
-- session in the old cell, and only that session lets a merchant leave, so a dead one cannot do so later.
CREATE FUNCTION lift_abandoned_fences() RETURNS int
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  fenced text;
  lifted int := 0;
BEGIN
  FOR fenced IN SELECT merchant FROM merchant_fence WHERE state IN ('closing', 'leaving') LOOP
    IF pg_try_advisory_xact_lock(hashtext('merchant_move'), hashtext(fenced)) THEN
      DELETE FROM merchant_fence WHERE merchant = fenced AND state IN ('closing', 'leaving');
      lifted := lifted + 1;
    END IF;
  END LOOP;
  RETURN lifted;
END
$$;
REVOKE EXECUTE ON FUNCTION lift_abandoned_fences FROM PUBLIC;
