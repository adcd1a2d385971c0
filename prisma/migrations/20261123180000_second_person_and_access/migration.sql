-- Who counts as a second person outlasts being put out, sign-ins hold for the access that they were proved with, and a
-- waiting authenticator belongs to the session that began it.

-- AlterTable
ALTER TABLE "member" ADD COLUMN     "access_version" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "second_person_until" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "member_totp" ADD COLUMN     "session_id" TEXT;

-- --------------------------------------------------------------------------------------------------------------------
-- Guarantees
-- --------------------------------------------------------------------------------------------------------------------

-- An owner or admin whose authority counts goes on being asked for as a second person, for the cool-down, after somebody has
-- disabled them, taken the role, or made their authority count anew. Otherwise one person could put the other out and be alone.
CREATE FUNCTION "keep_second_person"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  managing constant text[] := ARRAY['owner', 'admin'];
  present timestamptz := date_trunc('milliseconds', now());
BEGIN
  NEW.second_person_until := OLD.second_person_until;
  IF (OLD.second_person_until > present
      OR (OLD.disabled_at IS NULL AND OLD.roles && managing AND OLD.authority_live_from <= present))
     AND (NEW.disabled_at IS NOT NULL OR NOT NEW.roles && managing OR NEW.authority_live_from > present)
  THEN
    NEW.second_person_until := present + interval '1 second' * (
      SELECT nullif(c.authority_cool_down_seconds, 0) FROM merchant c WHERE c.id = NEW.merchant_id);
  END IF;
  RETURN NEW;
END
$$;
-- Fires after member_authority_restarts, whose result it reads.
CREATE TRIGGER "member_stays_second_person"
  BEFORE UPDATE OF roles, disabled_at, authority_live_from, second_person_until ON "member"
  FOR EACH ROW EXECUTE FUNCTION "keep_second_person"();
