-- Roles in the test environment that differ from those in live.

-- AlterTable
ALTER TABLE "member" ADD COLUMN     "test_roles" TEXT[];

-- --------------------------------------------------------------------------------------------------------------------
-- Guarantees. `roles` counts in live and for what both environments share, such as members.
-- --------------------------------------------------------------------------------------------------------------------

ALTER TABLE "member"
  ADD CONSTRAINT "member_test_roles_known" CHECK (
    test_roles <@ ARRAY['owner', 'admin', 'approver', 'finance', 'developer']);

CREATE FUNCTION "roles_in"(holder member, environment text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE environment WHEN 'test' THEN coalesce(holder.test_roles, holder.roles) ELSE holder.roles END
$$;

-- Replaces the rule on authority: what is gained in one environment counts there from now on.
CREATE OR REPLACE FUNCTION "restart_authority"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  present timestamptz := date_trunc('milliseconds', now());
  gained_test boolean := may_approve(roles_in(NEW, 'test')) AND NEW.disabled_at IS NULL
    AND NOT (may_approve(roles_in(OLD, 'test')) AND OLD.disabled_at IS NULL);
  gained_live boolean := may_approve(NEW.roles) AND NEW.disabled_at IS NULL
    AND NOT (may_approve(OLD.roles) AND OLD.disabled_at IS NULL);
BEGIN
  NEW.authority_test_from := greatest(NEW.authority_test_from,
    CASE WHEN gained_test THEN present ELSE least(OLD.authority_test_from, present) END);
  NEW.authority_live_from := greatest(NEW.authority_live_from,
    CASE WHEN gained_live THEN present ELSE least(OLD.authority_live_from, present) END);
  RETURN NEW;
END
$$;
DROP TRIGGER "member_authority_restarts" ON "member";
CREATE TRIGGER "member_authority_restarts"
  BEFORE UPDATE OF roles, test_roles, disabled_at, authority_test_from, authority_live_from ON "member"
  FOR EACH ROW EXECUTE FUNCTION "restart_authority"();

-- Replaces the makers of a key without known ones: whoever manages keys in either environment.
CREATE OR REPLACE FUNCTION "makers_of"(merchant text, creator_type text, creator_id text) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT CASE creator_type
    WHEN 'member' THEN ARRAY[creator_id]
    WHEN 'api_key' THEN coalesce(
      (SELECT k.makers FROM api_key k WHERE k.merchant_id = merchant AND k.id = creator_id),
      ARRAY(SELECT m.id FROM member m WHERE m.merchant_id = merchant AND m.disabled_at IS NULL
            AND (m.roles || coalesce(m.test_roles, '{}')) && ARRAY['owner', 'admin', 'developer'] ORDER BY m.id))
    ELSE '{}'
  END
$$;

-- Replaces the check on each approval: by an active approver of the payout's environment.
CREATE OR REPLACE FUNCTION "require_another_approver"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  payout payout_intent;
  approver member;
BEGIN
  SELECT * INTO payout FROM payout_intent p WHERE p.merchant_id = NEW.merchant_id AND p.id = NEW.payout_id;
  SELECT * INTO approver FROM member m
  WHERE m.merchant_id = NEW.merchant_id AND m.id = NEW.member_id AND m.disabled_at IS NULL
    AND may_approve(roles_in(m, payout.environment));
  IF is_maker(payout, NEW.member_id) THEN
    RAISE EXCEPTION 'approval of payout % violates rule "approval_by_another_person"', NEW.payout_id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'approval_by_another_person';
  END IF;
  IF approver.id IS NULL THEN
    RAISE EXCEPTION 'approval of payout % violates rule "approval_by_an_approver"', NEW.payout_id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'approval_by_an_approver';
  END IF;
  IF payout.created_at < (CASE payout.environment WHEN 'live' THEN approver.authority_live_from
                                                  ELSE approver.authority_test_from END) THEN
    RAISE EXCEPTION 'approval of payout % violates rule "approver_predates_payout"', NEW.payout_id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'approver_predates_payout';
  END IF;
  RETURN NEW;
END
$$;

-- Replaces the check on releases in the same way.
CREATE OR REPLACE FUNCTION "require_another_decider"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM payout_intent p JOIN member m ON m.merchant_id = p.merchant_id AND m.id = NEW.decided_by_id
    WHERE p.merchant_id = NEW.merchant_id AND p.id = NEW.payout_id AND NOT is_maker(p, m.id)
      AND m.disabled_at IS NULL AND may_approve(roles_in(m, p.environment))
      AND (CASE p.environment WHEN 'live' THEN m.authority_live_from ELSE m.authority_test_from END) <= p.created_at
  ) THEN
    RAISE EXCEPTION 'release of payout % violates rule "release_by_another_person"', NEW.payout_id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'release_by_another_person';
  END IF;
  RETURN NULL;
END
$$;
