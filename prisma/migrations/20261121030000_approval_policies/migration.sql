-- Approval policies, versioned and changed by two people; what a payout needs of them, counted and kept by the gate itself.

-- CreateTable
CREATE TABLE "approval_policy" (
    "merchant_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "rules" JSONB NOT NULL,
    "default_approvals" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "proposed_by_type" TEXT NOT NULL,
    "proposed_by_id" TEXT NOT NULL,
    "proposed_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_by_id" TEXT,
    "decided_at" TIMESTAMPTZ(3),

    CONSTRAINT "approval_policy_pkey" PRIMARY KEY ("merchant_id","environment","version")
);

-- AddForeignKey
ALTER TABLE "approval_policy" ADD CONSTRAINT "approval_policy_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AlterTable. What there was before policies came of the first version.
ALTER TABLE "payout_intent" ADD COLUMN "policy_version" INTEGER NOT NULL DEFAULT 1,
ADD COLUMN "approvals_given" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN "daily_total_below" DECIMAL(38,0);
ALTER TABLE "payout_intent" ALTER COLUMN "policy_version" DROP DEFAULT,
ALTER COLUMN "approvals_given" DROP DEFAULT;

-- AlterTable
ALTER TABLE "approval" ADD COLUMN "revision" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN "policy_version" INTEGER NOT NULL DEFAULT 1;
ALTER TABLE "approval" ALTER COLUMN "revision" DROP DEFAULT,
ALTER COLUMN "policy_version" DROP DEFAULT;

-- --------------------------------------------------------------------------------------------------------------------
-- What there is already: every merchant gets its first policy, every payout the approvals it was given.
-- --------------------------------------------------------------------------------------------------------------------
INSERT INTO "approval_policy" (merchant_id, environment, version, rules, default_approvals, state, proposed_by_type,
                               proposed_by_id, proposed_at, decided_at)
SELECT m.id, e.environment, 1, '[]', 1, 'active', 'operator', 'cli', m.created_at, m.created_at
FROM "merchant" m CROSS JOIN (VALUES ('test'), ('live')) AS e(environment);

ALTER TABLE "payout_intent" DISABLE TRIGGER "payout_intent_terminal_is_final";
UPDATE "payout_intent" p SET approvals_given = (
  SELECT count(*) FROM "approval" a WHERE a.merchant_id = p.merchant_id AND a.payout_id = p.id);
ALTER TABLE "payout_intent" ENABLE TRIGGER "payout_intent_terminal_is_final";

-- --------------------------------------------------------------------------------------------------------------------
-- Guarantees of policies.
-- --------------------------------------------------------------------------------------------------------------------

-- The first version is made with the merchant, by the operator. Every other one is a member's, and takes effect only by
-- another member.
ALTER TABLE "approval_policy"
  ADD CONSTRAINT "approval_policy_environment_known" CHECK (environment IN ('test', 'live')),
  ADD CONSTRAINT "approval_policy_version_counts_from_one" CHECK (version >= 1),
  ADD CONSTRAINT "approval_policy_rules_are_a_list" CHECK (jsonb_typeof(rules) = 'array'),
  ADD CONSTRAINT "approval_policy_default_in_range" CHECK (default_approvals BETWEEN 0 AND 3),
  ADD CONSTRAINT "approval_policy_state_known" CHECK (state IN ('proposed', 'active', 'superseded', 'rejected')),
  ADD CONSTRAINT "approval_policy_proposed_by_type_known" CHECK (proposed_by_type IN ('member', 'operator')),
  ADD CONSTRAINT "approval_policy_operator_makes_the_first" CHECK ((proposed_by_type = 'operator') = (version = 1)),
  ADD CONSTRAINT "approval_policy_decided_in_time" CHECK ((decided_at IS NULL) = (state = 'proposed')),
  ADD CONSTRAINT "approval_policy_decided_by_a_member" CHECK (
    (decided_by_id IS NULL) = (state = 'proposed' OR proposed_by_type = 'operator')),
  ADD CONSTRAINT "approval_policy_four_eyes" CHECK (
    decided_by_id <> proposed_by_id OR state NOT IN ('active', 'superseded')),
  ADD CONSTRAINT "approval_policy_time_runs_forward" CHECK (decided_at >= proposed_at);

-- One holds, and one can be on the table.
CREATE UNIQUE INDEX "approval_policy_one_active" ON "approval_policy" (merchant_id, environment) WHERE state = 'active';
CREATE UNIQUE INDEX "approval_policy_one_proposed" ON "approval_policy" (merchant_id, environment)
  WHERE state = 'proposed';

-- A version stays, says the same for good, and moves forward only.
CREATE TRIGGER "approval_policy_stays" BEFORE DELETE ON "approval_policy"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('approval_policy_stays');
CREATE TRIGGER "approval_policy_content_is_fixed"
  BEFORE UPDATE OF merchant_id, environment, version, rules, default_approvals, proposed_by_type, proposed_by_id,
    proposed_at
  ON "approval_policy" FOR EACH ROW
  WHEN ((OLD.merchant_id, OLD.environment, OLD.version, OLD.rules, OLD.default_approvals, OLD.proposed_by_type,
         OLD.proposed_by_id, OLD.proposed_at)
    IS DISTINCT FROM
        (NEW.merchant_id, NEW.environment, NEW.version, NEW.rules, NEW.default_approvals, NEW.proposed_by_type,
         NEW.proposed_by_id, NEW.proposed_at))
  EXECUTE FUNCTION "refuse_change"('approval_policy_content_is_fixed');
CREATE TRIGGER "approval_policy_moves_forward" BEFORE UPDATE ON "approval_policy"
  FOR EACH ROW WHEN ((OLD.state, NEW.state) NOT IN (
    ('proposed', 'active'), ('proposed', 'rejected'), ('active', 'superseded')))
  EXECUTE FUNCTION "refuse_change"('approval_policy_moves_forward');
CREATE TRIGGER "approval_policy_decision_is_final" BEFORE UPDATE ON "approval_policy"
  FOR EACH ROW WHEN (OLD.state <> 'proposed'
    AND (OLD.decided_by_id, OLD.decided_at) IS DISTINCT FROM (NEW.decided_by_id, NEW.decided_at))
  EXECUTE FUNCTION "refuse_change"('approval_policy_decision_is_final');

-- --------------------------------------------------------------------------------------------------------------------
-- The gate.
-- --------------------------------------------------------------------------------------------------------------------

ALTER TABLE "payout_intent"
  DROP CONSTRAINT "payout_intent_gate_needs_approvals",
  ADD CONSTRAINT "payout_intent_approvals_given_in_range" CHECK (approvals_given BETWEEN 0 AND approvals_required),
  ADD CONSTRAINT "payout_intent_daily_total_below_positive" CHECK (daily_total_below > 0),
  ADD CONSTRAINT "payout_intent_gate_needs_approvals" CHECK (
    status <> 'requires_approval' OR approvals_given < approvals_required),
  ADD CONSTRAINT "payout_intent_gate_opens_when_approved" CHECK (
    status NOT IN ('processing', 'succeeded', 'failed') OR approvals_given = approvals_required),
  ADD CONSTRAINT "payout_intent_policy_version_counts_from_one" CHECK (policy_version >= 1);

-- By whose policy it is, and below which total of the day, belong to what a payout is about.
DROP TRIGGER "payout_intent_identity_is_fixed" ON "payout_intent";
CREATE TRIGGER "payout_intent_identity_is_fixed"
  BEFORE UPDATE OF merchant_id, id, environment, amount, currency, country, merchant_reference, recipient_type,
    recipient_last4, recipient_bank_code, recipient_holder_name, approvals_required, policy_version, daily_total_below,
    created_by_type, created_by_id, created_at
  ON "payout_intent" FOR EACH ROW
  WHEN ((OLD.merchant_id, OLD.id, OLD.environment, OLD.amount, OLD.currency, OLD.country, OLD.merchant_reference,
         OLD.recipient_type, OLD.recipient_last4, OLD.recipient_bank_code, OLD.recipient_holder_name,
         OLD.approvals_required, OLD.policy_version, OLD.daily_total_below, OLD.created_by_type, OLD.created_by_id,
         OLD.created_at)
    IS DISTINCT FROM
        (NEW.merchant_id, NEW.id, NEW.environment, NEW.amount, NEW.currency, NEW.country, NEW.merchant_reference,
         NEW.recipient_type, NEW.recipient_last4, NEW.recipient_bank_code, NEW.recipient_holder_name,
         NEW.approvals_required, NEW.policy_version, NEW.daily_total_below, NEW.created_by_type, NEW.created_by_id,
         NEW.created_at))
  EXECUTE FUNCTION "refuse_change"('payout_intent_identity_is_fixed');

-- Whatever the count on the payout says: it leaves the gate for dispatch only with that many approvals by other people.
-- At the end of the statement, when the approval that opens the gate is there.
CREATE FUNCTION "require_approvals"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.approvals_required > (
    SELECT count(*) FROM approval a
    WHERE a.merchant_id = NEW.merchant_id AND a.payout_id = NEW.id
      AND NOT (NEW.created_by_type = 'member' AND NEW.created_by_id = a.member_id)
  ) THEN
    RAISE EXCEPTION 'payout % violates rule "payout_intent_gate_is_kept"', NEW.id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'payout_intent_gate_is_kept';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER "payout_intent_gate_is_kept" AFTER UPDATE OF status ON "payout_intent"
  FOR EACH ROW WHEN (OLD.status = 'requires_approval' AND NEW.status IN ('processing', 'succeeded', 'failed'))
  EXECUTE FUNCTION "require_approvals"();
CREATE TRIGGER "payout_intent_begins_at_the_gate" AFTER INSERT ON "payout_intent"
  FOR EACH ROW WHEN (NEW.approvals_required > 0 AND NEW.status IN ('processing', 'succeeded', 'failed'))
  EXECUTE FUNCTION "require_approvals"();

-- Four eyes in the write itself: who made a payout does not approve it, nor does anybody who is not (or no longer) an
-- active member with a role for it, whatever the caller believed.
CREATE OR REPLACE FUNCTION "require_another_approver"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM payout_intent p
    WHERE p.merchant_id = NEW.merchant_id AND p.id = NEW.payout_id
      AND p.created_by_type = 'member' AND p.created_by_id = NEW.member_id
  ) THEN
    RAISE EXCEPTION 'approval of payout % violates rule "approval_by_another_person"', NEW.payout_id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'approval_by_another_person';
  END IF;
  IF NOT EXISTS (
    SELECT FROM member m
    WHERE m.merchant_id = NEW.merchant_id AND m.id = NEW.member_id AND m.disabled_at IS NULL
      AND m.roles && ARRAY['owner', 'admin', 'approver']
  ) THEN
    RAISE EXCEPTION 'approval of payout % violates rule "approval_by_an_approver"', NEW.payout_id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'approval_by_an_approver';
  END IF;
  RETURN NEW;
END
$$;

-- --------------------------------------------------------------------------------------------------------------------
-- Totals of a day.
-- --------------------------------------------------------------------------------------------------------------------

-- The merchant's payouts in the currency on the UTC day of `at`, without those that came to nothing.
CREATE FUNCTION "payout_total_of_day"(merchant text, environ text, curr text, at timestamptz) RETURNS numeric
LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(p.amount), 0) FROM payout_intent p
  WHERE p.merchant_id = merchant AND p.environment = environ AND p.currency = curr
    AND p.status NOT IN ('cancelled', 'failed')
    AND p.created_at >= date_trunc('day', at, 'UTC') AND p.created_at < date_trunc('day', at, 'UTC') + interval '24 hours'
$$;

-- A payout whose approvals were decided below a total is refused when the day has reached it meanwhile. Creations in one
-- currency wait for each other at the wallet's balance, so at the end of the statement the later sees the earlier.
CREATE FUNCTION "require_daily_total_below"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF payout_total_of_day(NEW.merchant_id, NEW.environment, NEW.currency, NEW.created_at) >= NEW.daily_total_below THEN
    RAISE EXCEPTION 'payout % violates rule "payout_intent_daily_total_moved"', NEW.id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'payout_intent_daily_total_moved';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER "payout_intent_daily_total_moved" AFTER INSERT ON "payout_intent"
  FOR EACH ROW WHEN (NEW.daily_total_below IS NOT NULL) EXECUTE FUNCTION "require_daily_total_below"();

-- Whether a recipient was paid before; written when a payout succeeds, never when one is created.
CREATE INDEX "payout_intent_paid_recipient" ON "payout_intent" (merchant_id, account_digest) WHERE status = 'succeeded';
