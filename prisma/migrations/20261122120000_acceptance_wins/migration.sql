-- Evidence that a provider accepted an intent never expires. Only a call without an answer ages out, ten minutes after its
-- announcement: providers reject its signature by then.

-- True when an outcome shows that the provider accepted the intent. NULL is a call without an answer.
CREATE FUNCTION "shows_acceptance"("outcome" text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(outcome NOT IN ('never_accepted', 'not_sent', 'unknown'), false)
$$;

-- Replaces the check on payouts, under the same rule name, and adds it to payments and top-ups.
CREATE OR REPLACE FUNCTION "require_certain_failure"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM provider_attempt a
    WHERE a.merchant_id = NEW.merchant_id AND a.intent_id = NEW.id
      AND (shows_acceptance(a.outcome)
        OR coalesce(a.outcome, 'unknown') = 'unknown' AND a.started_at > NEW.updated_at - interval '10 minutes')
  ) THEN
    RAISE EXCEPTION 'failure of % violates rule "failure_is_certain"', NEW.id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'failure_is_certain';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER "payment_intent_failure_is_certain" AFTER UPDATE OF status ON "payment_intent"
  FOR EACH ROW WHEN (OLD.status <> NEW.status AND NEW.failure_code = 'provider_unavailable')
  EXECUTE FUNCTION "require_certain_failure"();
CREATE TRIGGER "topup_intent_failure_is_certain" AFTER UPDATE OF status ON "topup_intent"
  FOR EACH ROW WHEN (OLD.status <> NEW.status AND NEW.failure_code = 'provider_unavailable')
  EXECUTE FUNCTION "require_certain_failure"();

-- The checks above read the outcomes of attempts, so that no later outcome may erase an acceptance.
CREATE FUNCTION "require_kept_acceptance"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'outcome of % violates rule "acceptance_is_kept"', NEW.id
    USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'acceptance_is_kept';
END
$$;
CREATE TRIGGER "provider_attempt_acceptance_is_kept" BEFORE UPDATE OF outcome ON "provider_attempt"
  FOR EACH ROW WHEN (shows_acceptance(OLD.outcome) AND NOT shows_acceptance(NEW.outcome))
  EXECUTE FUNCTION "require_kept_acceptance"();
