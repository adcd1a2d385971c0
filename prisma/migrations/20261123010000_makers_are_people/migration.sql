-- Nobody approves what they made, also through an API key, and nobody approves what is older than their own authority.

-- ---------------------------------------------------------------------------------------------------------------------
-- Since when a member's authority counts, in each environment: a member decides only on what was made after it.
-- ---------------------------------------------------------------------------------------------------------------------
ALTER TABLE "member"
  ADD COLUMN "authority_test_from" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds', now()),
  ADD COLUMN "authority_live_from" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds', now());
ALTER TABLE "merchant"
  ADD COLUMN "authority_cool_down_seconds" INTEGER NOT NULL DEFAULT 86400,
  ADD CONSTRAINT "merchant_authority_cool_down_bounded" CHECK (authority_cool_down_seconds BETWEEN 0 AND 2592000);

-- The roles that approve payouts; a test compares them with the permissions.
CREATE FUNCTION "may_approve"(roles text[]) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT roles && ARRAY['owner', 'admin', 'approver']
$$;

-- From the history of each member: the last time that somebody gave them authority, or a password of theirs.
UPDATE "member" m
SET authority_test_from = given.at,
    authority_live_from = given.at + CASE WHEN given.by_member THEN interval '24 hours' ELSE interval '0' END
FROM (
  SELECT m.merchant_id, m.id, coalesce(last.created_at, m.created_at) AS at, coalesce(last.by_member, false) AS by_member
  FROM member m LEFT JOIN LATERAL (
    SELECT a.created_at, a.actor_type = 'member' AS by_member FROM audit_entry a
    WHERE a.merchant_id = m.merchant_id AND a.object_id = m.id AND (
      a.action IN ('member.create', 'member.enable', 'member.reset_password')
      OR a.action = 'member.totp_remove' AND a.actor_id <> m.id
      OR a.action = 'member.change_roles'
        AND may_approve(ARRAY(SELECT jsonb_array_elements_text(a.after->'roles')))
        AND NOT may_approve(ARRAY(SELECT jsonb_array_elements_text(a.before->'roles'))))
    ORDER BY a.created_at DESC, a.id DESC LIMIT 1) last ON true
) given
WHERE given.merchant_id = m.merchant_id AND given.id = m.id;

-- Authority gained counts from now on at the earliest, and never from before the present where it counted later.
CREATE FUNCTION "restart_authority"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  present timestamptz := date_trunc('milliseconds', now());
  gained boolean := may_approve(NEW.roles) AND NEW.disabled_at IS NULL
    AND NOT (may_approve(OLD.roles) AND OLD.disabled_at IS NULL);
BEGIN
  NEW.authority_test_from := greatest(NEW.authority_test_from,
    CASE WHEN gained THEN present ELSE least(OLD.authority_test_from, present) END);
  NEW.authority_live_from := greatest(NEW.authority_live_from,
    CASE WHEN gained THEN present ELSE least(OLD.authority_live_from, present) END);
  RETURN NEW;
END
$$;
CREATE TRIGGER "member_authority_restarts"
  BEFORE UPDATE OF roles, disabled_at, authority_test_from, authority_live_from ON "member"
  FOR EACH ROW EXECUTE FUNCTION "restart_authority"();

-- ---------------------------------------------------------------------------------------------------------------------
-- The members who made a payout.
-- ---------------------------------------------------------------------------------------------------------------------

-- NULL only for payouts that had left the gate before makers were recorded.
ALTER TABLE "payout_intent" ADD COLUMN "makers" TEXT[];

-- A member makes their own payouts; the makers of a key make its payouts. A key without known makers may be known to every
-- present member who manages keys.
CREATE FUNCTION "makers_of"(merchant text, creator_type text, creator_id text) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT CASE creator_type
    WHEN 'member' THEN ARRAY[creator_id]
    WHEN 'api_key' THEN coalesce(
      (SELECT k.makers FROM api_key k WHERE k.merchant_id = merchant AND k.id = creator_id),
      ARRAY(SELECT m.id FROM member m WHERE m.merchant_id = merchant AND m.disabled_at IS NULL
            AND m.roles && ARRAY['owner', 'admin', 'developer'] ORDER BY m.id))
    ELSE '{}'
  END
$$;

-- A maker who approved an open payout before this rule keeps that approval: it was given under the rule of its time.
UPDATE "payout_intent" p
SET makers = ARRAY(
  SELECT maker FROM unnest(makers_of(p.merchant_id, p.created_by_type, p.created_by_id)) AS maker
  WHERE NOT EXISTS (SELECT FROM approval a
                    WHERE a.merchant_id = p.merchant_id AND a.payout_id = p.id AND a.member_id = maker))
WHERE p.status = 'requires_approval';

CREATE FUNCTION "fill_makers"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.makers := makers_of(NEW.merchant_id, NEW.created_by_type, NEW.created_by_id);
  RETURN NEW;
END
$$;
CREATE TRIGGER "payout_intent_makers_are_filled" BEFORE INSERT ON "payout_intent"
  FOR EACH ROW EXECUTE FUNCTION "fill_makers"();
CREATE TRIGGER "payout_intent_makers_are_fixed" BEFORE UPDATE OF makers ON "payout_intent"
  FOR EACH ROW WHEN (OLD.makers IS DISTINCT FROM NEW.makers)
  EXECUTE FUNCTION "refuse_change"('payout_intent_identity_is_fixed');

-- Whether the member made the payout; a payout without recorded makers was made by its creator.
CREATE FUNCTION "is_maker"(payout payout_intent, member text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT member = ANY(coalesce(payout.makers, '{}')) OR (payout.created_by_type = 'member' AND payout.created_by_id = member)
$$;

-- Replaces the check on each approval: not by a maker, by an active approver, whose authority is older than the payout.
CREATE OR REPLACE FUNCTION "require_another_approver"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  payout payout_intent;
  approver member;
BEGIN
  SELECT * INTO payout FROM payout_intent p WHERE p.merchant_id = NEW.merchant_id AND p.id = NEW.payout_id;
  SELECT * INTO approver FROM member m
  WHERE m.merchant_id = NEW.merchant_id AND m.id = NEW.member_id AND m.disabled_at IS NULL AND may_approve(m.roles);
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

-- Replaces the check on leaving the gate, under the same rule name: approvals by makers do not count.
CREATE OR REPLACE FUNCTION "require_approvals"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.approvals_required > (
    SELECT count(*) FROM approval a
    WHERE a.merchant_id = NEW.merchant_id AND a.payout_id = NEW.id AND NOT is_maker(NEW, a.member_id)
  ) AND NOT (
    TG_OP = 'UPDATE' AND NEW.status IN ('succeeded', 'failed') AND is_contradicted(NEW.merchant_id, NEW.id) AND EXISTS (
      SELECT FROM manual_resolution r
      WHERE r.merchant_id = NEW.merchant_id AND r.intent_id = NEW.id AND r.state = 'confirmed')
  ) THEN
    RAISE EXCEPTION 'payout % violates rule "payout_intent_gate_is_kept"', NEW.id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'payout_intent_gate_is_kept';
  END IF;
  RETURN NULL;
END
$$;
