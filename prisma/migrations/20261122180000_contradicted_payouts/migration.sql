-- What providers report against our own record holds a payout back until people know: it is neither sent, moved to another
-- provider, failed on another provider's word, nor failed by hand on older evidence.

-- Replaces the check on payments and payouts, under the same rule name. A payout stays, too, while a contradiction about
-- it awaits a person: a provider may have executed it without any call on record, as after a restore.
CREATE OR REPLACE FUNCTION "require_certain_reroute"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM provider_attempt a
    WHERE a.merchant_id = NEW.merchant_id AND a.intent_id = NEW.id AND a.provider <> NEW.provider
      AND coalesce(a.outcome, '') NOT IN ('never_accepted', 'not_sent')
  ) OR EXISTS (
    SELECT FROM exception x
    WHERE TG_TABLE_NAME = 'payout_intent' AND x.merchant_id = NEW.merchant_id AND x.object_id = NEW.id
      AND x.kind = 'contradiction' AND x.resolved_at IS NULL
  ) THEN
    RAISE EXCEPTION 'change of provider of % violates rule "reroute_is_certain"', NEW.id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'reroute_is_certain';
  END IF;
  RETURN NULL;
END
$$;

-- True when a payout was sent, or reported by a provider, after `since`: evidence of that time says nothing of it.
CREATE FUNCTION "has_news_since"(merchant text, intent text, since timestamptz) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM provider_attempt a
    WHERE a.merchant_id = merchant AND a.intent_id = intent
      AND coalesce(a.outcome, '') NOT IN ('never_accepted', 'not_sent')
      AND greatest(a.started_at, a.answered_at) > since
  ) OR EXISTS (
    SELECT FROM exception x
    WHERE x.merchant_id = merchant AND x.object_id = intent AND x.kind = 'contradiction' AND x.opened_at > since
  )
$$;

-- Replaces the check on manual ends, under the same rule names.
CREATE OR REPLACE FUNCTION "require_confirmed_resolution"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  proposed timestamptz;
BEGIN
  SELECT r.proposed_at INTO proposed FROM manual_resolution r
  WHERE r.merchant_id = NEW.merchant_id AND r.intent_id = NEW.object_id AND r.environment = NEW.environment
    AND r.state = 'confirmed' AND r.intent_revision = (NEW.before->>'revision')::int
    AND split_part(NEW.action, '.', 2) = 'resolved_' || r.outcome;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'manual end of % violates rule "manual_end_is_confirmed"', NEW.object_id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'manual_end_is_confirmed';
  END IF;
  IF NEW.action = 'payout_intent.resolved_failed' AND (
    has_news_since(NEW.merchant_id, NEW.object_id, proposed) OR EXISTS (
      SELECT FROM provider_attempt a
      WHERE a.merchant_id = NEW.merchant_id AND a.intent_id = NEW.object_id
        AND coalesce(a.outcome, '') NOT IN ('never_accepted', 'not_sent')
        AND a.started_at > NEW.created_at - interval '10 minutes')
  ) THEN
    RAISE EXCEPTION 'manual failure of % violates rule "manual_failure_is_certain"', NEW.object_id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'manual_failure_is_certain';
  END IF;
  RETURN NULL;
END
$$;

-- Once a provider has reported that another sum left, no later report releases the hold. One person's closing of the
-- exception does not lift that; a manual resolution, of two, does.
CREATE OR REPLACE FUNCTION "require_no_reported_settlement"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM exception x
    WHERE x.merchant_id = NEW.merchant_id AND x.object_id = NEW.id AND x.kind = 'contradiction'
      AND starts_with(x.fact, 'contradiction:' || NEW.id || ':settled ')
  ) AND NOT EXISTS (
    SELECT FROM manual_resolution r
    WHERE r.merchant_id = NEW.merchant_id AND r.intent_id = NEW.id AND r.state = 'confirmed'
  ) THEN
    RAISE EXCEPTION 'failure of % violates rule "reported_settlement_awaits_a_person"', NEW.id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'reported_settlement_awaits_a_person';
  END IF;
  RETURN NULL;
END
$$;

-- A provider's refusal speaks for itself alone: the hold stays while another provider's call shows acceptance. Asked after
-- the statement, under the payout's lock and on a snapshot of its own.
CREATE FUNCTION "require_no_other_acceptance"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM provider_attempt a
    WHERE a.merchant_id = NEW.merchant_id AND a.intent_id = NEW.id AND a.provider <> NEW.provider
      AND shows_acceptance(a.outcome)
      AND a.outcome NOT IN ('declined', 'invalid_recipient', 'cancelled', 'expired')
  ) AND NOT EXISTS (
    SELECT FROM manual_resolution r
    WHERE r.merchant_id = NEW.merchant_id AND r.intent_id = NEW.id AND r.state = 'confirmed'
  ) THEN
    RAISE EXCEPTION 'failure of % violates rule "failure_is_certain"', NEW.id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'failure_is_certain';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER "payout_intent_no_other_acceptance" AFTER UPDATE OF status ON "payout_intent"
  FOR EACH ROW WHEN (OLD.status = 'processing' AND NEW.status = 'failed')
  EXECUTE FUNCTION "require_no_other_acceptance"();
