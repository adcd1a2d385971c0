-- A callback that an older copy of a merchant could not apply is about what that copy lacks: it is due again, too, so that it is handed
-- over to the cell that has the merchant. Its exception goes with the older copy.
CREATE OR REPLACE FUNCTION close_older_stay(overtaken text, newer_cell text, newer_stay int, newer_since timestamptz DEFAULT NULL)
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
  WHERE received_at > newer_since - interval '1 minute' AND result IN ('applied', 'ignored', 'unreadable', 'unmatched', 'failing');
  RETURN true;
END
$$;
