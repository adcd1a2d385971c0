-- A second wall between merchants. The service's statements run as a role that is bound by these policies and see only the
-- rows of the merchants in `sluice.reach`, which is set in the transaction of each statement: ids separated by commas, or *.
-- Without it no row is visible. The owner of the tables is not bound, so migrations and backups see everything.
-- The planner has no statistics for IS NOT NULL of an expression and expects it to hold for nearly every row, as it does
-- beside a statement's own condition; an equation would make it expect few rows, and choose other indexes.
CREATE FUNCTION within_reach(merchant text) RETURNS boolean
  LANGUAGE sql STABLE
  RETURN array_position(
    string_to_array(current_setting('sluice.reach', true), ','),
    CASE WHEN current_setting('sluice.reach', true) = '*' THEN '*' ELSE merchant END
  ) IS NOT NULL;

DO $$
DECLARE
  place record;
BEGIN
  FOR place IN
    SELECT c.relname AS name
    FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'merchant_id' AND NOT a.attisdropped
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', place.name);
    -- A row without a merchant is the operator's.
    EXECUTE format(
      'CREATE POLICY %I ON %I USING (within_reach(merchant_id))', place.name || '_within_reach', place.name
    );
  END LOOP;
END
$$;

ALTER TABLE merchant ENABLE ROW LEVEL SECURITY;
CREATE POLICY merchant_within_reach ON merchant USING (within_reach(id));

-- A pause without a merchant holds for every merchant, so all work sees it; only work across merchants writes it.
DROP POLICY dispatch_pause_within_reach ON dispatch_pause;
CREATE POLICY dispatch_pause_within_reach ON dispatch_pause
  USING (merchant_id IS NULL OR within_reach(merchant_id)) WITH CHECK (within_reach(merchant_id));
