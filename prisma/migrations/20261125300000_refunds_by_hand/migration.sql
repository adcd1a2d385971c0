-- Two people end a refund by hand whose provider gives no clear answer: a manual resolution, confirmed by an operator. Its revision
-- is the number of calls about the refund: a further call outdates the evidence.

ALTER TABLE "manual_resolution"
  DROP CONSTRAINT "manual_resolution_outcome_of_kind",
  ADD CONSTRAINT "manual_resolution_outcome_of_kind" CHECK (
    CASE left(intent_id, 5)
      WHEN 'word_' THEN outcome IN ('settled', 'failed')
      WHEN 'sref_' THEN outcome IN ('settled', 'failed')
      WHEN 'dord_' THEN outcome IN ('succeeded', 'failed')
      WHEN 'tuin_' THEN outcome IN ('succeeded', 'failed')
      ELSE false END);

-- A refund is ended by hand only as its confirmed resolution says, of its whole sum, and by nobody who proposed the refund. In
-- either direction no call about it may be in flight, and nothing may have happened since the proposal. Asked after the refund's
-- change, under its lock and on a snapshot of its own: announcing a call takes the same lock.
CREATE FUNCTION "require_resolved_refund"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  refund suspense_refund;
  resolution manual_resolution;
BEGIN
  SELECT s.* INTO refund FROM suspense_refund s
  WHERE s.merchant_id = NEW.merchant_id AND s.id = NEW.object_id AND s.environment = NEW.environment;
  SELECT r.* INTO resolution FROM manual_resolution r
  WHERE r.merchant_id = NEW.merchant_id AND r.intent_id = NEW.object_id AND r.environment = NEW.environment
    AND r.state = 'confirmed' AND r.outcome = refund.state AND NEW.action = 'suspense_refund.resolved_' || r.outcome
    AND r.intent_revision = (NEW.before->>'revision')::int
    AND (r.outcome = 'failed' OR (r.amount, r.currency) = (refund.amount, refund.currency));
  IF resolution.id IS NULL THEN
    RAISE EXCEPTION 'manual end of % violates rule "manual_end_is_confirmed"', NEW.object_id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'manual_end_is_confirmed';
  END IF;
  IF EXISTS (
    SELECT FROM member m
    WHERE m.merchant_id = NEW.merchant_id AND m.id = refund.proposed_by_id
      AND (m.id = resolution.proposed_by_id OR lower(btrim(m.email)) IN (
        lower(btrim(resolution.proposed_by_id)), lower(btrim(resolution.decided_by_id))))
  ) THEN
    RAISE EXCEPTION 'manual end of % violates rule "manual_refund_end_is_of_others"', NEW.object_id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'manual_refund_end_is_of_others';
  END IF;
  IF has_news_since(NEW.merchant_id, NEW.object_id, resolution.proposed_at)
    OR resolution.intent_revision <> (
      SELECT count(*) FROM provider_attempt a WHERE a.merchant_id = NEW.merchant_id AND a.intent_id = NEW.object_id)
    OR EXISTS (
      SELECT FROM provider_attempt a
      WHERE a.merchant_id = NEW.merchant_id AND a.intent_id = NEW.object_id
        AND coalesce(a.outcome, '') NOT IN ('never_accepted', 'not_sent')
        AND a.started_at > NEW.created_at - interval '10 minutes')
  THEN
    RAISE EXCEPTION 'manual end of % violates rule "manual_refund_end_is_certain"', NEW.object_id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'manual_refund_end_is_certain';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER "audit_entry_refund_is_resolved" AFTER INSERT ON "audit_entry"
  FOR EACH ROW WHEN (NEW.action IN ('suspense_refund.resolved_settled', 'suspense_refund.resolved_failed'))
  EXECUTE FUNCTION "require_resolved_refund"();
