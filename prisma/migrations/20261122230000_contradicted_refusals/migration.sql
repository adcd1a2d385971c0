-- Replaces the check on failures, under the same rule name. The hold of a payout stays, too, while a contradiction that another
-- provider has reported awaits a person: before dispatch, such a report is on no call.
CREATE OR REPLACE FUNCTION "require_no_other_acceptance"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (EXISTS (
    SELECT FROM provider_attempt a
    WHERE a.merchant_id = NEW.merchant_id AND a.intent_id = NEW.id AND a.provider <> NEW.provider
      AND shows_acceptance(a.outcome)
      AND a.outcome NOT IN ('declined', 'invalid_recipient', 'cancelled', 'expired')
  ) OR EXISTS (
    SELECT FROM exception x
    WHERE x.merchant_id = NEW.merchant_id AND x.object_id = NEW.id AND x.kind = 'contradiction'
      AND x.resolved_at IS NULL AND x.detail->>'provider' <> NEW.provider
  )) AND NOT EXISTS (
    SELECT FROM manual_resolution r
    WHERE r.merchant_id = NEW.merchant_id AND r.intent_id = NEW.id AND r.state = 'confirmed'
  ) THEN
    RAISE EXCEPTION 'failure of % violates rule "failure_is_certain"', NEW.id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'failure_is_certain';
  END IF;
  RETURN NULL;
END
$$;
