-- Routing: to which providers an intent may go, in which order, and why; and the rules by which it leaves one for another.

-- AlterTable
ALTER TABLE "payment_intent" ADD COLUMN "routing" JSONB;

-- AlterTable
ALTER TABLE "payout_intent" ADD COLUMN "routing" JSONB;

-- AlterTable
ALTER TABLE "topup_intent" ADD COLUMN "routing" JSONB;

-- An intent is with a provider of its decision. Null in rows older than this migration, until they next
-- change.
ALTER TABLE "payment_intent"
  ADD CONSTRAINT "payment_intent_provider_is_routed" CHECK (
    routing IS NULL OR coalesce(routing->'order' ? provider, false));
ALTER TABLE "payout_intent"
  ADD CONSTRAINT "payout_intent_provider_is_routed" CHECK (
    routing IS NULL OR coalesce(routing->'order' ? provider, false));
ALTER TABLE "topup_intent"
  ADD CONSTRAINT "topup_intent_provider_is_routed" CHECK (
    routing IS NULL OR coalesce(routing->'order' ? provider, false));

-- The decision is made once. What may change is the provider, for another of the decision that was not left yet, and
-- only together with one entry more in the list of those left.
CREATE FUNCTION "require_recorded_reroute"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.routing IS NULL AND NEW.provider = OLD.provider THEN
    RETURN NEW;
  END IF;
  IF NEW.provider <> OLD.provider
    AND NEW.routing - 'left' = OLD.routing - 'left'
    AND jsonb_array_length(NEW.routing->'left') = jsonb_array_length(OLD.routing->'left') + 1
    AND (NEW.routing->'left') - (-1) = OLD.routing->'left'
    AND NEW.routing->'left'->-1->>'provider' = OLD.provider
    AND NOT (NEW.routing->'left') @> jsonb_build_array(jsonb_build_object('provider', NEW.provider))
  THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'change of provider of % violates rule "reroute_is_recorded"', NEW.id
    USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'reroute_is_recorded';
END
$$;
CREATE TRIGGER "payment_intent_reroute_is_recorded" BEFORE UPDATE OF provider, routing ON "payment_intent"
  FOR EACH ROW WHEN ((OLD.provider, OLD.routing) IS DISTINCT FROM (NEW.provider, NEW.routing))
  EXECUTE FUNCTION "require_recorded_reroute"();
CREATE TRIGGER "payout_intent_reroute_is_recorded" BEFORE UPDATE OF provider, routing ON "payout_intent"
  FOR EACH ROW WHEN ((OLD.provider, OLD.routing) IS DISTINCT FROM (NEW.provider, NEW.routing))
  EXECUTE FUNCTION "require_recorded_reroute"();

-- A top-up was quoted by its provider, so it never leaves it.
CREATE TRIGGER "topup_intent_routing_is_fixed" BEFORE UPDATE OF provider, routing ON "topup_intent"
  FOR EACH ROW WHEN ((OLD.provider, OLD.routing) IS DISTINCT FROM (NEW.provider, NEW.routing))
  EXECUTE FUNCTION "refuse_change"('topup_intent_routing_is_fixed');

-- Whoever may have accepted an intent keeps it. Asked after the statement, under the intent's lock and on a snapshot of
-- its own, so that a call which another worker announced meanwhile counts: announcing takes the same lock.
CREATE FUNCTION "require_certain_reroute"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM provider_attempt a
    WHERE a.merchant_id = NEW.merchant_id AND a.intent_id = NEW.id AND a.provider <> NEW.provider
      AND coalesce(a.outcome, '') NOT IN ('never_accepted', 'not_sent')
  ) THEN
    RAISE EXCEPTION 'change of provider of % violates rule "reroute_is_certain"', NEW.id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'reroute_is_certain';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER "payment_intent_reroute_is_certain" AFTER UPDATE OF provider ON "payment_intent"
  FOR EACH ROW WHEN (OLD.provider <> NEW.provider) EXECUTE FUNCTION "require_certain_reroute"();
CREATE TRIGGER "payout_intent_reroute_is_certain" AFTER UPDATE OF provider ON "payout_intent"
  FOR EACH ROW WHEN (OLD.provider <> NEW.provider) EXECUTE FUNCTION "require_certain_reroute"();
