-- Names of a merchant from before must lead to it from each cell that it has passed, also after one of them was restored
-- (docs/decisions/0082).

-- The cells from which the merchant has ever come here.
ALTER TABLE "merchant_stay" ADD COLUMN "from_cells" TEXT[] DEFAULT ARRAY[]::TEXT[];
ALTER TABLE "merchant_stay" DISABLE TRIGGER "merchant_stay_goes_forward";
UPDATE "merchant_stay" SET from_cells = ARRAY[from_cell];
ALTER TABLE "merchant_stay" ENABLE TRIGGER "merchant_stay_goes_forward";

CREATE FUNCTION note_from_cell() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.from_cell <> ALL (NEW.from_cells) THEN NEW.from_cells := NEW.from_cells || NEW.from_cell; END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER "merchant_stay_notes_from_cell" BEFORE INSERT OR UPDATE ON "merchant_stay"
  FOR EACH ROW EXECUTE FUNCTION note_from_cell();

-- Lets names lead from a cell where the merchant is not to the one that has it, in a later stay than this cell knows of; returns
-- whether this call did. It opens and closes nothing. A move that is alive writes its fences itself.
CREATE FUNCTION lead_to_later_stay(gone text, later_cell text, later_stay int) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF later_cell = (SELECT cell FROM installation) THEN RETURN false; END IF;
  IF later_stay <= coalesce((SELECT number FROM merchant_stay WHERE merchant = gone), 0) THEN RETURN false; END IF;
  IF NOT pg_try_advisory_xact_lock(hashtext('merchant_move'), hashtext(gone)) THEN RETURN false; END IF;
  INSERT INTO merchant_fence AS f (merchant, state, other_cell, stay)
  SELECT gone, 'left', later_cell, later_stay
  WHERE NOT EXISTS (SELECT FROM merchant WHERE id = gone) OR EXISTS (SELECT FROM merchant_fence WHERE merchant = gone)
  ON CONFLICT (merchant) DO UPDATE
    SET other_cell = excluded.other_cell, stay = excluded.stay, since = now(), opening = NULL, lost_since = NULL
  WHERE f.state = 'left' AND coalesce(f.stay, 0) < excluded.stay;
  RETURN FOUND;
END
$$;
REVOKE EXECUTE ON FUNCTION lead_to_later_stay FROM PUBLIC;

-- A provider sends a callback once if it is answered. What came here while the merchant was open in two cells was applied to the
-- older copy, so it is due again: then it is handed over to the cell that has the merchant. Whoever knows it ignores it.
DROP FUNCTION close_older_stay(text, text, int);
CREATE FUNCTION close_older_stay(overtaken text, newer_cell text, newer_stay int, newer_since timestamptz DEFAULT NULL)
  RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF newer_cell = (SELECT cell FROM installation) THEN RETURN false; END IF;
  -- After a restore of two cells, two stays may have one number: then the one that began later is the newer.
  IF EXISTS (SELECT FROM merchant_stay WHERE merchant = overtaken
             AND (number > newer_stay OR number = newer_stay AND since >= coalesce(newer_since, since)))
     OR newer_stay < 1 THEN RETURN false; END IF;
  IF NOT EXISTS (SELECT FROM merchant WHERE id = overtaken) THEN RETURN false; END IF;
  INSERT INTO merchant_fence AS f (merchant, state, other_cell, stay, overtaken_at)
  VALUES (overtaken, 'left', newer_cell, newer_stay, now())
  ON CONFLICT (merchant) DO UPDATE SET state = excluded.state, other_cell = excluded.other_cell, stay = excluded.stay,
    opening = NULL, overtaken_at = excluded.overtaken_at, since = now()
  WHERE f.state IN ('closing', 'leaving');
  IF NOT FOUND THEN RETURN false; END IF;
  -- The clocks of cells may differ by a second.
  UPDATE provider_callback SET due_at = now(), applied_at = NULL, result = NULL, attempts = attempts + 1
  WHERE received_at > newer_since - interval '1 minute' AND result IN ('applied', 'ignored');
  RETURN true;
END
$$;
REVOKE EXECUTE ON FUNCTION close_older_stay FROM PUBLIC;
