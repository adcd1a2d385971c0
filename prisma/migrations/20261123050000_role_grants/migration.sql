-- A role that approves is proposed by one person and confirmed by another, where a merchant has two who may.
CREATE TABLE "role_grant" (
    "merchant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "member_id" TEXT NOT NULL,
    "roles" TEXT[],
    "enables" BOOLEAN NOT NULL,
    "state" TEXT NOT NULL,
    "proposed_by_id" TEXT NOT NULL,
    "proposed_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_by_id" TEXT,
    "decided_at" TIMESTAMPTZ(3),

    CONSTRAINT "role_grant_pkey" PRIMARY KEY ("merchant_id","id")
);

-- One at a time for each member.
CREATE UNIQUE INDEX "role_grant_one_proposed" ON "role_grant" (merchant_id, member_id) WHERE state = 'proposed';

ALTER TABLE "role_grant"
  ADD CONSTRAINT "role_grant_roles_known" CHECK (
    roles IS NOT NULL AND roles <@ ARRAY['owner', 'admin', 'approver', 'finance', 'developer'] AND may_approve(roles)),
  ADD CONSTRAINT "role_grant_state_known" CHECK (state IN ('proposed', 'confirmed', 'rejected', 'superseded')),
  ADD CONSTRAINT "role_grant_decided_or_proposed" CHECK (
    (state = 'proposed') = (decided_at IS NULL) AND (state = 'proposed') = (decided_by_id IS NULL)),
  ADD CONSTRAINT "role_grant_confirmed_by_another" CHECK (
    state <> 'confirmed' OR decided_by_id <> proposed_by_id AND decided_by_id <> member_id);

CREATE TRIGGER "role_grant_begins_proposed" BEFORE INSERT ON "role_grant"
  FOR EACH ROW WHEN (NEW.state <> 'proposed') EXECUTE FUNCTION "refuse_change"('role_grant_begins_proposed');
CREATE TRIGGER "role_grant_stays" BEFORE DELETE ON "role_grant"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('role_grant_stays');
CREATE TRIGGER "role_grant_is_not_truncated" BEFORE TRUNCATE ON "role_grant"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"('role_grant_is_not_truncated');
CREATE TRIGGER "role_grant_decision_is_final" BEFORE UPDATE ON "role_grant"
  FOR EACH ROW WHEN (OLD.state <> 'proposed') EXECUTE FUNCTION "refuse_change"('role_grant_decision_is_final');
CREATE TRIGGER "role_grant_content_is_fixed" BEFORE UPDATE ON "role_grant"
  FOR EACH ROW WHEN (
    (OLD.merchant_id, OLD.id, OLD.member_id, OLD.roles, OLD.enables, OLD.proposed_by_id, OLD.proposed_at)
    IS DISTINCT FROM
    (NEW.merchant_id, NEW.id, NEW.member_id, NEW.roles, NEW.enables, NEW.proposed_by_id, NEW.proposed_at))
  EXECUTE FUNCTION "refuse_change"('role_grant_content_is_fixed');
