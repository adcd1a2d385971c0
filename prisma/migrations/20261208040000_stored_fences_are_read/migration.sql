-- The trigger of the first fence lets all statements read the fences (docs/decisions/0082). Rows that are loaded without triggers, as
-- by pg_restore --data-only --disable-triggers or by logical replication, do not fire it: merchants that have left would be served.
ALTER TABLE "merchant_fence" ENABLE ALWAYS TRIGGER "merchant_fence_is_read";

-- Lets statements read the fences if there are some and nobody reads them; returns whether this call did.
CREATE FUNCTION "read_stored_fences"() RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF fences_are_read() OR NOT EXISTS (SELECT FROM merchant_fence) THEN RETURN false; END IF;
  PERFORM pg_advisory_xact_lock('merchant_fence'::regclass::bigint);
  IF fences_are_read() THEN RETURN false; END IF;
  CREATE OR REPLACE FUNCTION "reach_beside_fences"(reach text) RETURNS text
    LANGUAGE sql STABLE RETURN reach_past_fences(reach);
  RETURN true;
END
$$;
REVOKE EXECUTE ON FUNCTION "read_stored_fences" FROM PUBLIC;
