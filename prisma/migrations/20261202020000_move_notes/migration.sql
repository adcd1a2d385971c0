-- What a move does to the other merchants of its cells (docs/decisions/0082): it locks no table behind a long transaction, and it
-- leaves its triggers where they are until they can be removed at once. While it is open, the logs lose nothing.

-- A move that notes changes in this cell, which the merchant leaves: from before its first trigger is made until its last one is
-- removed. Once it has ended, its triggers note nothing.
CREATE TABLE "merchant_move_noting" (
    "move_id" TEXT NOT NULL,
    "merchant" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "merchant_move_noting_pkey" PRIMARY KEY ("move_id")
);

ALTER TABLE "merchant_move_noting"
  ADD CONSTRAINT "merchant_move_noting_move_id_prefix" CHECK (starts_with(move_id, 'mov_')),
  ADD CONSTRAINT "merchant_move_noting_merchant_form" CHECK (merchant ~ '^mer_[0-9a-z_]+$');

CREATE TRIGGER "merchant_move_noting_is_not_truncated" BEFORE TRUNCATE ON "merchant_move_noting"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"('merchant_move_noting_is_not_truncated');

-- A move reads its notes table by table.
DROP INDEX "merchant_move_change_merchant_idx";
CREATE INDEX "merchant_move_change_merchant_table_name_idx" ON "merchant_move_change"("merchant", "table_name");

-- As before, except that a trigger of a move that has ended notes nothing. A transaction with an older snapshot may still note
-- something, which is harmless; the other way around it could miss the begin of a move.
CREATE OR REPLACE FUNCTION note_move_change() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  key_columns text[] := TG_ARGV[2:];
  before_key jsonb;
  after_key jsonb;
BEGIN
  IF EXISTS (SELECT FROM merchant_move_noting WHERE move_id = substring(TG_NAME FROM 'mov_.*') AND ended_at IS NOT NULL) THEN
    RETURN NULL;
  END IF;
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

-- The session that has one of these locks on a table or its partitions and whose transaction is the oldest, if it is older than
-- that. Whoever asks for a conflicting lock would wait behind it, and everybody else behind the two.
CREATE FUNCTION find_long_lock(locked regclass, modes text[], age interval) RETURNS TABLE (pid int, application text)
  LANGUAGE sql VOLATILE SET search_path = public, pg_temp AS $$
  SELECT l.pid, coalesce(a.application_name, '')
  FROM pg_locks l LEFT JOIN pg_stat_activity a ON a.pid = l.pid
  WHERE l.locktype = 'relation' AND l.granted AND l.mode = ANY (modes)
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND (l.relation = locked OR l.relation IN (SELECT relid FROM pg_partition_tree(locked)))
    AND l.pid IS DISTINCT FROM pg_backend_pid()
    -- A prepared transaction has no session, and may stay.
    AND coalesce(a.xact_start < clock_timestamp() - age, true)
  ORDER BY a.xact_start LIMIT 1
$$;

-- Removes the triggers of moves that have ended here from one table where nobody holds a lock for long, and returns in how many
-- tables there are still some. A table is locked for moments only: each call is a transaction of one table, and gives up where it
-- would wait for 50 ms.
CREATE FUNCTION remove_ended_notes() RETURNS int
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
      WHERE t.tgfoid = 'note_move_change'::regproc AND t.tgparentid = 0 AND t.tgname LIKE 'note\_%\_' || ended.move_id
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
      SELECT FROM pg_trigger t WHERE t.tgfoid = 'note_move_change'::regproc AND t.tgname LIKE 'note\_%\_' || ended.move_id);
    DELETE FROM merchant_move_change
    WHERE merchant = ended.merchant
      AND NOT EXISTS (SELECT FROM merchant_move_noting n WHERE n.merchant = ended.merchant AND n.ended_at IS NULL);
    DELETE FROM merchant_move_noting WHERE move_id = ended.move_id;
  END LOOP;
  RETURN remaining;
END
$$;
REVOKE EXECUTE ON FUNCTION find_long_lock FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION remove_ended_notes FROM PUBLIC;

-- Whether a merchant moves into or out of this cell. Its rows are counted in both cells, and no trigger sees a partition go.
CREATE FUNCTION logs_lose_nothing() RETURNS boolean
  LANGUAGE sql VOLATILE SET search_path = public, pg_temp
AS $$
  SELECT EXISTS (SELECT FROM merchant_fence WHERE state NOT IN ('closing', 'leaving', 'left'))
      OR EXISTS (SELECT FROM merchant_move_noting WHERE ended_at IS NULL)
$$;
REVOKE EXECUTE ON FUNCTION logs_lose_nothing FROM PUBLIC;

-- Keeps the partitions of a log as they are to be at that instant: those of the next days exist, those are gone whose rows
-- are all older than `kept_days`, and so are such rows of the default partition. While a merchant moves into or out of this cell,
-- nothing goes. Returns how much it changed; zero means that nothing is left to do. It gives up with an error where it would wait
-- longer than half a second for a lock, because requests would wait behind it; called again later, it goes on.
CREATE OR REPLACE FUNCTION keep_log_partitions_at(log text, kept_days int, at timestamptz) RETURNS int
  LANGUAGE plpgsql SET search_path = public, pg_temp SET lock_timeout = '500ms'
AS $$
DECLARE
  key_column text := CASE log WHEN 'api_log' THEN 'id' WHEN 'delivery_attempt' THEN 'delivery_id' END;
  time_column text := CASE log WHEN 'api_log' THEN 'created_at' WHEN 'delivery_attempt' THEN 'attempted_at' END;
  prefix text := CASE log WHEN 'api_log' THEN 'req_' WHEN 'delivery_attempt' THEN 'dlv_' END;
  fallback text := log || '_default';
  oldest_kept timestamptz := at - make_interval(days => kept_days);
  -- At most fifteen partitions hold what is kept, and a row is gone at the latest a fourteenth of its time too late.
  span interval := make_interval(days => greatest(1, ceil(kept_days / 14.0)::int));
  partition record;
  name text;
  starts timestamptz;
  count int;
  changed int := 0;
BEGIN
  IF prefix IS NULL OR NOT kept_days BETWEEN 0 AND 36500 THEN
    RAISE EXCEPTION 'no log of that name, or no number of days: %, %', log, kept_days;
  END IF;
  -- One at a time.
  IF NOT pg_try_advisory_xact_lock(hashtext('keep_log_partitions'), hashtext(log)) THEN
    RETURN 0;
  END IF;

  -- The lock is that of whoever drops a partition. A move that begins now makes its triggers on the log afterwards, and copies
  -- afterwards.
  IF EXISTS (SELECT FROM log_partition p WHERE p.log = keep_log_partitions_at.log AND p.ends_at <= oldest_kept)
     AND NOT logs_lose_nothing() THEN
    EXECUTE format('LOCK TABLE ONLY %I IN ACCESS EXCLUSIVE MODE', log);
  END IF;
  IF NOT logs_lose_nothing() THEN
    FOR partition IN
      SELECT p.name FROM log_partition p WHERE p.log = keep_log_partitions_at.log AND p.ends_at <= oldest_kept
    LOOP
      EXECUTE format('ALTER TABLE %I DETACH PARTITION %I', log, partition.name);
      -- A delivery may have been sent again since; these attempts go to the default partition.
      EXECUTE format('INSERT INTO %I SELECT * FROM %I WHERE %I >= $1', log, partition.name, time_column) USING oldest_kept;
      EXECUTE format('DROP TABLE %I', partition.name);
      changed := changed + 1;
    END LOOP;

    EXECUTE format('DELETE FROM %1$I WHERE ctid = ANY (ARRAY(SELECT ctid FROM %1$I WHERE %2$I < $1 LIMIT 10000))',
                   fallback, time_column) USING oldest_kept;
    GET DIAGNOSTICS count = ROW_COUNT;
    changed := changed + count;
  END IF;

  SELECT greatest(max(p.ends_at), date_trunc('day', at, 'UTC')) INTO starts
  FROM log_partition p WHERE p.log = keep_log_partitions_at.log;
  WHILE starts < at + 2 * span LOOP
    name := log || to_char(starts AT TIME ZONE 'UTC', '_YYYYMMDD');
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', name, log);
    -- Without a policy: rows are reached through the log alone, whose policy holds for them.
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE INDEX ON %I USING brin (%I)', name, time_column);
    EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', fallback);
    EXECUTE format('WITH moved AS (DELETE FROM %1$I WHERE %2$I >= $1 AND %2$I < $2 RETURNING *) '
                   'INSERT INTO %3$I SELECT * FROM moved', fallback, key_column, name)
      USING id_bound_at(prefix, starts), id_bound_at(prefix, starts + span);
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', log, name,
                   id_bound_at(prefix, starts), id_bound_at(prefix, starts + span));
    starts := starts + span;
    changed := changed + 1;
  END LOOP;
  RETURN changed;
END
$$;
