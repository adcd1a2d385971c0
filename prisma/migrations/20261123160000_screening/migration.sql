-- Screening of payouts before their first call to a provider: the screener's verdict, and what a person decides on a hold.

-- CreateTable
CREATE TABLE "payout_screening" (
    "merchant_id" TEXT NOT NULL,
    "payout_id" TEXT NOT NULL,
    "verdict" TEXT NOT NULL,
    "reason" TEXT,
    "reference" TEXT,
    "screened_at" TIMESTAMPTZ(3) NOT NULL,
    "decision" TEXT,
    "decided_by_id" TEXT,
    "decided_at" TIMESTAMPTZ(3),

    CONSTRAINT "payout_screening_pkey" PRIMARY KEY ("merchant_id","payout_id")
);

-- AddForeignKey
ALTER TABLE "payout_screening" ADD CONSTRAINT "payout_screening_merchant_id_payout_id_fkey" FOREIGN KEY ("merchant_id", "payout_id") REFERENCES "payout_intent"("merchant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- --------------------------------------------------------------------------------------------------------------------
-- Guarantees.
-- --------------------------------------------------------------------------------------------------------------------

ALTER TABLE "payout_screening"
  ADD CONSTRAINT "payout_screening_verdict_known" CHECK (verdict IN ('allow', 'hold', 'refuse')),
  ADD CONSTRAINT "payout_screening_reason_length" CHECK (length(reason) <= 512),
  ADD CONSTRAINT "payout_screening_reference_length" CHECK (length(reference) <= 255),
  ADD CONSTRAINT "payout_screening_decision_known" CHECK (decision IN ('release', 'refuse')),
  ADD CONSTRAINT "payout_screening_decided_together"
    CHECK (num_nulls(decision, decided_by_id, decided_at) IN (0, 3)),
  ADD CONSTRAINT "payout_screening_only_holds_are_decided" CHECK (decision IS NULL OR verdict = 'hold');

CREATE TRIGGER "payout_screening_decision_is_final" BEFORE UPDATE ON "payout_screening"
  FOR EACH ROW WHEN (
    OLD.decision IS NOT NULL
    OR (OLD.merchant_id, OLD.payout_id, OLD.verdict, OLD.reason, OLD.reference, OLD.screened_at)
       IS DISTINCT FROM
       (NEW.merchant_id, NEW.payout_id, NEW.verdict, NEW.reason, NEW.reference, NEW.screened_at))
  EXECUTE FUNCTION "refuse_change"('payout_screening_decision_is_final');

CREATE TRIGGER "payout_screening_stays" BEFORE DELETE ON "payout_screening"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('payout_screening_stays');

CREATE TRIGGER "payout_screening_is_not_truncated" BEFORE TRUNCATE ON "payout_screening"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"('payout_screening_is_not_truncated');

-- A payout is released by somebody who may approve it: an active approver, not a maker, with older authority.
CREATE FUNCTION "require_another_decider"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM payout_intent p JOIN member m ON m.merchant_id = p.merchant_id AND m.id = NEW.decided_by_id
    WHERE p.merchant_id = NEW.merchant_id AND p.id = NEW.payout_id AND NOT is_maker(p, m.id)
      AND m.disabled_at IS NULL AND may_approve(m.roles)
      AND (CASE p.environment WHEN 'live' THEN m.authority_live_from ELSE m.authority_test_from END) <= p.created_at
  ) THEN
    RAISE EXCEPTION 'release of payout % violates rule "release_by_another_person"', NEW.payout_id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'release_by_another_person';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER "payout_screening_release_by_another_person" AFTER INSERT OR UPDATE ON "payout_screening"
  FOR EACH ROW WHEN (NEW.decision = 'release')
  EXECUTE FUNCTION "require_another_decider"();

-- A payout that may be at a provider, or that a provider has reported, is not cancelled.
DROP TRIGGER "payout_intent_reported_is_not_cancelled" ON "payout_intent";
CREATE TRIGGER "payout_intent_reported_is_not_cancelled" AFTER UPDATE OF status ON "payout_intent"
  FOR EACH ROW WHEN (OLD.status IN ('requires_approval', 'processing') AND NEW.status = 'cancelled')
  EXECUTE FUNCTION "require_no_reported_payout"();
CREATE TRIGGER "payout_intent_cancelled_is_unsent" AFTER UPDATE OF status ON "payout_intent"
  FOR EACH ROW WHEN (OLD.status = 'processing' AND NEW.status = 'cancelled')
  EXECUTE FUNCTION "require_certain_failure"();

ALTER TABLE "exception"
  DROP CONSTRAINT "exception_kind_known",
  ADD CONSTRAINT "exception_kind_known" CHECK (
    kind IN ('late_money', 'amount_mismatch', 'bank_return', 'funds_dropped', 'stuck', 'missing_internal',
             'missing_external', 'duplicate', 'unassigned_fee', 'ambiguous_receipt', 'contradiction',
             'unapplied_callback', 'screening_hold'));

ALTER TABLE "payout_screening" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "payout_screening_within_reach" ON "payout_screening" USING (within_reach(merchant_id));
