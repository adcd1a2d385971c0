-- What somebody who reads no fences writes in the new cell, before the merchant opens there, would stay in the copy or be lost
-- with it: a process of an earlier release, or the owner of the tables. A trigger of the move refuses it, for this merchant alone.
-- The move itself writes without triggers. Once the merchant is open, the trigger lets everything pass until it is removed.
CREATE FUNCTION refuse_before_opening() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  fence record;
BEGIN
  SELECT state, other_cell INTO fence FROM merchant_fence WHERE merchant = TG_ARGV[0] AND state IN ('arriving', 'ready');
  IF FOUND THEN
    RAISE EXCEPTION 'the merchant is %; the other cell is %', fence.state, fence.other_cell USING ERRCODE = 'P0M01';
  END IF;
  RETURN NULL;
END
$$;
REVOKE EXECUTE ON FUNCTION refuse_before_opening FROM PUBLIC;

-- As before, for the triggers of either cell.
CREATE OR REPLACE FUNCTION remove_ended_notes() RETURNS int
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '50ms' AS $$
DECLARE
  ended record;
  noted record;
  remaining int := 0;
  is_removed boolean := false;
BEGIN
  -- One at a time.
  IF NOT pg_try_advisory_xact_lock(hashtext('remove_ended_notes'), 0) THEN
    RETURN (SELECT count(*) FROM merchant_move_noting WHERE ended_at IS NOT NULL);
  END IF;
  FOR ended IN SELECT move_id, merchant FROM merchant_move_noting WHERE ended_at IS NOT NULL LOOP
    FOR noted IN
      SELECT t.tgrelid::regclass AS name, string_agg(format('DROP TRIGGER %I ON %s', t.tgname, t.tgrelid::regclass), ';') AS removal
      FROM pg_trigger t
      WHERE t.tgfoid IN ('note_move_change'::regproc, 'refuse_before_opening'::regproc) AND t.tgparentid = 0
        AND t.tgname LIKE '%\_' || ended.move_id
      GROUP BY t.tgrelid
    LOOP
      IF is_removed OR EXISTS (SELECT FROM find_long_lock(noted.name,
           ARRAY['AccessShareLock', 'RowShareLock', 'RowExclusiveLock', 'ShareUpdateExclusiveLock', 'ShareLock',
                 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'], interval '50 milliseconds')) THEN
        remaining := remaining + 1;
        CONTINUE;
      END IF;
      BEGIN
        EXECUTE noted.removal;
        is_removed := true;
      EXCEPTION
        WHEN lock_not_available OR deadlock_detected THEN remaining := remaining + 1;
      END;
    END LOOP;
    -- The last lock has waited for whoever may have noted something.
    CONTINUE WHEN EXISTS (
      SELECT FROM pg_trigger t
      WHERE t.tgfoid IN ('note_move_change'::regproc, 'refuse_before_opening'::regproc) AND t.tgname LIKE '%\_' || ended.move_id);
    DELETE FROM merchant_move_change
    WHERE merchant = ended.merchant
      AND NOT EXISTS (SELECT FROM merchant_move_noting n WHERE n.merchant = ended.merchant AND n.ended_at IS NULL);
    DELETE FROM merchant_move_noting WHERE move_id = ended.move_id;
  END LOOP;
  RETURN remaining;
END
$$;
