-- Two payouts decided below a total of their day must wait for each other. Until now they met at the wallet's balance, which
-- the same statement changes: that held only as long as the statement did so before this trigger ran.
CREATE OR REPLACE FUNCTION "require_daily_total_below"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM ledger_account a
  WHERE (a.merchant_id, a.environment, a.currency, a.kind) = (NEW.merchant_id, NEW.environment, NEW.currency, 'available')
  FOR NO KEY UPDATE;
  IF payout_total_of_day(NEW.merchant_id, NEW.environment, NEW.currency, NEW.created_at) >= NEW.daily_total_below THEN
    RAISE EXCEPTION 'payout % violates rule "payout_intent_daily_total_moved"', NEW.id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'payout_intent_daily_total_moved';
  END IF;
  RETURN NULL;
END
$$;
