-- The second step: reads both logs whole. Requests and attempts are recorded meanwhile.
DO $$
DECLARE
  log record;
BEGIN
  FOR log IN
    SELECT conrelid::regclass AS name, conname, pg_get_expr(conbin, conrelid) AS holds FROM pg_constraint
    WHERE conname IN ('api_log_before_bound', 'delivery_attempt_before_bound')
  LOOP
    EXECUTE format('WITH beyond AS (DELETE FROM %s WHERE NOT (%s) RETURNING *) INSERT INTO %s_default SELECT * FROM beyond',
                   log.name, log.holds, log.name);
    EXECUTE format('ALTER TABLE %s VALIDATE CONSTRAINT %I', log.name, log.conname);
  END LOOP;
END
$$;
