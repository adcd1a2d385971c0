-- Changes of what becomes of top-ups that are not paid as quoted: in live one owner proposes, another owner or admin confirms.
CREATE TABLE "topup_policy_proposal" (
    "merchant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "replaced" JSONB NOT NULL,
    "wanted" JSONB NOT NULL,
    "digest" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "proposed_by_id" TEXT NOT NULL,
    "proposed_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_by_id" TEXT,
    "decided_at" TIMESTAMPTZ(3),

    CONSTRAINT "topup_policy_proposal_pkey" PRIMARY KEY ("merchant_id","id")
);

-- One at a time in each environment.
CREATE UNIQUE INDEX "topup_policy_proposal_one_proposed" ON "topup_policy_proposal" (merchant_id, environment)
  WHERE state = 'proposed';

ALTER TABLE "topup_policy_proposal"
  ADD CONSTRAINT "topup_policy_proposal_id_prefix" CHECK (starts_with(id, 'tpp_')),
  ADD CONSTRAINT "topup_policy_proposal_environment_known" CHECK (environment IN ('test', 'live')),
  -- The rate of a quote ends with it, so only the operator lets late money be credited at that rate.
  ADD CONSTRAINT "topup_policy_proposal_late_stays_operators" CHECK (
    (wanted->>'late_payment' = 'credit_actual') IS NOT TRUE OR replaced->>'late_payment' = 'credit_actual'),
  ADD CONSTRAINT "topup_policy_proposal_state_known" CHECK (state IN ('proposed', 'confirmed', 'rejected')),
  ADD CONSTRAINT "topup_policy_proposal_decided_whole" CHECK (
    (decided_at IS NULL) = (state = 'proposed') AND (decided_by_id IS NULL) = (state = 'proposed')),
  ADD CONSTRAINT "topup_policy_proposal_two_people" CHECK (state <> 'confirmed' OR decided_by_id <> proposed_by_id),
  ADD CONSTRAINT "topup_policy_proposal_time_runs_forward" CHECK (decided_at >= proposed_at);

CREATE TRIGGER "topup_policy_proposal_begins_proposed" BEFORE INSERT ON "topup_policy_proposal"
  FOR EACH ROW WHEN (NEW.state <> 'proposed') EXECUTE FUNCTION "refuse_change"('topup_policy_proposal_begins_proposed');
CREATE TRIGGER "topup_policy_proposal_stays" BEFORE DELETE ON "topup_policy_proposal"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('topup_policy_proposal_stays');
CREATE TRIGGER "topup_policy_proposal_is_not_truncated" BEFORE TRUNCATE ON "topup_policy_proposal"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"('topup_policy_proposal_is_not_truncated');
CREATE TRIGGER "topup_policy_proposal_decision_is_final" BEFORE UPDATE ON "topup_policy_proposal"
  FOR EACH ROW WHEN (OLD.state <> 'proposed') EXECUTE FUNCTION "refuse_change"('topup_policy_proposal_decision_is_final');
CREATE TRIGGER "topup_policy_proposal_content_is_fixed" BEFORE UPDATE ON "topup_policy_proposal"
  FOR EACH ROW WHEN (
    (OLD.merchant_id, OLD.id, OLD.environment, OLD.replaced, OLD.wanted, OLD.digest, OLD.proposed_by_id, OLD.proposed_at)
    IS DISTINCT FROM
    (NEW.merchant_id, NEW.id, NEW.environment, NEW.replaced, NEW.wanted, NEW.digest, NEW.proposed_by_id, NEW.proposed_at))
  EXECUTE FUNCTION "refuse_change"('topup_policy_proposal_content_is_fixed');

ALTER TABLE "topup_policy_proposal" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "topup_policy_proposal_within_reach" ON "topup_policy_proposal" USING (within_reach(merchant_id));
