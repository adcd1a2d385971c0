-- Which tables these are, beside which cluster, timeline and database: tables that pg_restore drops and creates again
-- are other ones.

-- Not the constant 'installation'::regclass, whose id a session's plans would keep after the table was dropped.
CREATE FUNCTION "current_tables_identity"() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT concat_ws('.', to_regclass('installation')::oid, to_regclass('payout_intent')::oid, to_regclass('provider_attempt')::oid)
$$;

-- An upgrade is no restore: a database that is the known one stays known.
UPDATE "installation" SET database_identity = database_identity || '/' || current_tables_identity()
WHERE database_identity = current_database_identity();

CREATE OR REPLACE FUNCTION "current_database_identity"() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT system_identifier FROM pg_control_system())
    || '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)
    || '/' || (SELECT oid FROM pg_database WHERE datname = current_database())
    || '/' || current_tables_identity();
EXCEPTION
  WHEN insufficient_privilege OR feature_not_supported OR undefined_function OR object_not_in_prerequisite_state THEN
    RETURN NULL;
END
$$;
