-- A payout fails as "no provider accepted it" only when no call can still be on its way: its hold goes back, and a call
-- that arrived after that would pay without one. Ten minutes after it was announced a call is dead, its signature too old.
-- Asked after the statement, under the payout's lock and on a snapshot of its own: announcing a call takes the same lock.
CREATE FUNCTION "require_certain_failure"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM provider_attempt a
    WHERE a.merchant_id = NEW.merchant_id AND a.intent_id = NEW.id
      AND coalesce(a.outcome, '') NOT IN ('never_accepted', 'not_sent')
      AND a.started_at > NEW.updated_at - interval '10 minutes'
  ) THEN
    RAISE EXCEPTION 'failure of % violates rule "failure_is_certain"', NEW.id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'failure_is_certain';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER "payout_intent_failure_is_certain" AFTER UPDATE OF status ON "payout_intent"
  FOR EACH ROW WHEN (OLD.status <> NEW.status AND NEW.failure_code = 'provider_unavailable')
  EXECUTE FUNCTION "require_certain_failure"();
