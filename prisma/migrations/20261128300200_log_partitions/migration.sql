-- The third step: the logs become partitioned tables, and what they held their first partition.

-- The instant in an id, or in a bound made by id_bound_at.
CREATE FUNCTION id_time(id text) RETURNS timestamptz
  LANGUAGE sql IMMUTABLE STRICT
  RETURN (
    SELECT to_timestamp(sum((position(substr(split_part(id, '_', 2), place, 1) IN '0123456789abcdefghjkmnpqrstvwxyz') - 1)
                            * 32 ^ (10 - place)) / 1000)
    FROM generate_series(1, 10) AS place
  );

-- Keeps the partitions of a log as they are to be at that instant: those of the next days exist, those are gone whose rows
-- are all older than `kept_days`, and so are such rows of the default partition. Returns how much it changed; zero means
-- that nothing is left to do. It gives up with an error where it would wait longer than half a second for a lock, because
-- requests would wait behind it; called again later, it goes on.
CREATE FUNCTION keep_log_partitions_at(log text, kept_days int, at timestamptz) RETURNS int
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

-- For the service, whose role may not change tables.
CREATE FUNCTION keep_log_partitions(log text, kept_days int) RETURNS int
  LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp
AS $$ SELECT keep_log_partitions_at(log, kept_days, now()) $$;
REVOKE EXECUTE ON FUNCTION keep_log_partitions FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION keep_log_partitions_at FROM PUBLIC;

ALTER TABLE api_log RENAME TO api_log_before;
ALTER INDEX api_log_pkey RENAME TO api_log_before_pkey;
ALTER INDEX api_log_by_object RENAME TO api_log_before_by_object;
ALTER INDEX api_log_created_at_idx RENAME TO api_log_before_created_at_idx;
DROP TRIGGER api_log_is_written_once ON api_log_before;
DROP TRIGGER api_log_is_not_truncated ON api_log_before;
DROP POLICY api_log_within_reach ON api_log_before;

CREATE TABLE api_log (
  LIKE api_log_before INCLUDING ALL EXCLUDING INDEXES,
  CONSTRAINT api_log_pkey PRIMARY KEY (merchant_id, environment, id)
) PARTITION BY RANGE (id);
CREATE INDEX api_log_by_object ON api_log (merchant_id, environment, object_id, id DESC) WHERE object_id IS NOT NULL;
CREATE TRIGGER api_log_is_written_once BEFORE UPDATE ON api_log
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('api_log_is_written_once');
CREATE TRIGGER api_log_is_not_truncated BEFORE TRUNCATE ON api_log
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"('api_log_is_not_truncated');
ALTER TABLE api_log ENABLE ROW LEVEL SECURITY;
CREATE POLICY api_log_within_reach ON api_log USING (within_reach(merchant_id));

ALTER TABLE delivery_attempt RENAME TO delivery_attempt_before;
ALTER INDEX delivery_attempt_pkey RENAME TO delivery_attempt_before_pkey;
ALTER INDEX delivery_attempt_by_endpoint RENAME TO delivery_attempt_before_by_endpoint;
ALTER INDEX delivery_attempt_attempted_at_idx RENAME TO delivery_attempt_before_attempted_at_idx;
DROP TRIGGER delivery_attempt_is_written_once ON delivery_attempt_before;
DROP TRIGGER delivery_attempt_is_not_truncated ON delivery_attempt_before;
DROP POLICY delivery_attempt_within_reach ON delivery_attempt_before;

CREATE TABLE delivery_attempt (
  LIKE delivery_attempt_before INCLUDING ALL EXCLUDING INDEXES,
  CONSTRAINT delivery_attempt_pkey PRIMARY KEY (merchant_id, delivery_id, ordinal),
  CONSTRAINT delivery_attempt_delivery_fkey FOREIGN KEY (merchant_id, delivery_id) REFERENCES delivery (merchant_id, id)
) PARTITION BY RANGE (delivery_id);
CREATE INDEX delivery_attempt_by_endpoint
  ON delivery_attempt (merchant_id, endpoint_id, attempted_at DESC) INCLUDE (status, error, duration_ms)
  WHERE endpoint_id IS NOT NULL;
CREATE TRIGGER delivery_attempt_is_written_once BEFORE UPDATE ON delivery_attempt
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('delivery_attempt_is_written_once');
CREATE TRIGGER delivery_attempt_is_not_truncated BEFORE TRUNCATE ON delivery_attempt
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"('delivery_attempt_is_not_truncated');
ALTER TABLE delivery_attempt ENABLE ROW LEVEL SECURITY;
CREATE POLICY delivery_attempt_within_reach ON delivery_attempt USING (within_reach(merchant_id));

-- What each partition of a log holds, from its bounds in the catalogue; the default partition has none.
CREATE VIEW log_partition AS
  SELECT parent.relname::text AS log, child.relname::text AS name,
         id_time(substring(pg_get_expr(child.relpartbound, child.oid) FROM 'TO \(''(.*)''\)')) AS ends_at
  FROM pg_inherits i
  JOIN pg_class parent ON parent.oid = i.inhparent
  JOIN pg_class child ON child.oid = i.inhrelid
  WHERE parent.oid IN ('api_log'::regclass, 'delivery_attempt'::regclass)
    AND pg_get_expr(child.relpartbound, child.oid) LIKE '%TO (%';

DO $$
DECLARE
  log text;
  proven text;
  allowed record;
BEGIN
  FOREACH log IN ARRAY ARRAY['api_log', 'delivery_attempt'] LOOP
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', log, log || '_before_bound');
    -- Whoever may use the log may go on doing so.
    FOR allowed IN
      SELECT g.privilege_type AS act, g.grantee::regrole AS role FROM pg_class c, aclexplode(c.relacl) g
      WHERE c.oid = (log || '_before')::regclass AND g.grantee NOT IN (0, c.relowner)
    LOOP
      EXECUTE format('GRANT %s ON %I TO %s', allowed.act, log, allowed.role);
    END LOOP;
    SELECT substring(pg_get_constraintdef(oid) FROM '''([a-z]+_[0-9a-z]{10})''') INTO STRICT proven
    FROM pg_constraint WHERE conrelid = (log || '_before')::regclass AND conname = log || '_before_bound';
    EXECUTE format('ALTER TABLE %1$I ATTACH PARTITION %2$I FOR VALUES FROM (MINVALUE) TO (%3$L)', log, log || '_before', proven);
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', log || '_before', log || '_before_bound');
    EXECUTE format('ALTER TABLE %1$I ATTACH PARTITION %2$I DEFAULT', log, log || '_default');
  END LOOP;
END
$$;

SELECT keep_log_partitions('api_log', 7), keep_log_partitions('delivery_attempt', 30);
