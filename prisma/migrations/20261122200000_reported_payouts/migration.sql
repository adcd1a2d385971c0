-- A payout that a provider reported while it awaited approval is ended by two people only: the provider may have executed it
-- without any call on record, as after a restore.

-- True when a report has ever contradicted the intent.
CREATE FUNCTION "is_contradicted"(merchant text, intent text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM exception x WHERE x.merchant_id = merchant AND x.object_id = intent AND x.kind = 'contradiction'
  )
$$;

-- Neither a cancellation nor a lapse releases its hold, also after one person has closed the exception. Asked after the
-- statement, under the payout's lock and on a snapshot of its own.
CREATE FUNCTION "require_no_reported_payout"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF is_contradicted(NEW.merchant_id, NEW.id) THEN
    RAISE EXCEPTION 'cancellation of % violates rule "reported_settlement_awaits_a_person"', NEW.id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'reported_settlement_awaits_a_person';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER "payout_intent_reported_is_not_cancelled" AFTER UPDATE OF status ON "payout_intent"
  FOR EACH ROW WHEN (OLD.status = 'requires_approval' AND NEW.status = 'cancelled')
  EXECUTE FUNCTION "require_no_reported_payout"();

-- Replaces the check on leaving the gate, under the same rule name: two people end such a payout without its approvals.
CREATE OR REPLACE FUNCTION "require_approvals"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.approvals_required > (
    SELECT count(*) FROM approval a
    WHERE a.merchant_id = NEW.merchant_id AND a.payout_id = NEW.id
      AND NOT (NEW.created_by_type = 'member' AND NEW.created_by_id = a.member_id)
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

-- The trigger above alone keeps payouts from ending without their approvals: the check knows of no resolutions.
ALTER TABLE "payout_intent"
  DROP CONSTRAINT "payout_intent_gate_opens_when_approved",
  ADD CONSTRAINT "payout_intent_gate_opens_when_approved" CHECK (
    status <> 'processing' OR approvals_given = approvals_required);
