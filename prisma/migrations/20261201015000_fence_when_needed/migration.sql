-- A database that no merchant has left or entered does not read its empty fences before every statement. The first fence
-- replaces this function, in its own transaction (docs/decisions/0082).
ALTER FUNCTION "reach_beside_fences"(text) RENAME TO "reach_past_fences";

-- Postgres plans the body in place of the call, so the call costs nothing. Sessions with a kept plan of the statement plan it
-- again when the function changes.
CREATE FUNCTION "reach_beside_fences"(reach text) RETURNS text
  LANGUAGE sql STABLE RETURN reach;

CREATE FUNCTION "fences_are_read"() RETURNS boolean
  LANGUAGE sql STABLE
  RETURN EXISTS (
    SELECT FROM pg_depend
    WHERE classid = 'pg_proc'::regclass AND objid = 'reach_beside_fences(text)'::regprocedure
      AND refclassid = 'pg_proc'::regclass AND refobjid = 'reach_past_fences(text)'::regprocedure
  );

CREATE FUNCTION "read_fences"() RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  IF fences_are_read() THEN RETURN NULL; END IF;
  -- Two first fences at once would replace the same row of the catalog.
  PERFORM pg_advisory_xact_lock('merchant_fence'::regclass::bigint);
  IF NOT fences_are_read() THEN
    CREATE OR REPLACE FUNCTION "reach_beside_fences"(reach text) RETURNS text
      LANGUAGE sql STABLE RETURN reach_past_fences(reach);
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER "merchant_fence_is_read" BEFORE INSERT ON "merchant_fence"
  FOR EACH STATEMENT EXECUTE FUNCTION "read_fences"();

-- Fences that are there already are read as well.
DO $$
BEGIN
  IF EXISTS (SELECT FROM merchant_fence) THEN
    INSERT INTO merchant_fence SELECT * FROM merchant_fence ON CONFLICT DO NOTHING;
  END IF;
END
$$;
