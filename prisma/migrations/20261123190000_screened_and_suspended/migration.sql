-- Every way to a provider passes screening, a suspended merchant releases nothing and gets no new endpoints, and a recipient is
-- the same however account and bank are written.

-- An attempt of a payout that screening holds or refuses. Failing over announces its next call in a statement of its own.
CREATE FUNCTION "require_cleared_payout"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM payout_screening s
    WHERE s.merchant_id = NEW.merchant_id AND s.payout_id = NEW.intent_id
      AND s.verdict <> 'allow' AND s.decision IS DISTINCT FROM 'release')
  THEN
    RAISE EXCEPTION 'attempt % violates rule "payout_is_cleared"', NEW.id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'payout_is_cleared';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER "provider_attempt_payout_is_cleared" BEFORE INSERT ON "provider_attempt"
  FOR EACH ROW WHEN (starts_with(NEW.intent_id, 'word_')) EXECUTE FUNCTION "require_cleared_payout"();

CREATE TRIGGER "payout_screening_merchant_is_active" BEFORE UPDATE OF decision ON "payout_screening"
  FOR EACH ROW WHEN (NEW.decision = 'release') EXECUTE FUNCTION "require_active_merchant"();
CREATE TRIGGER "webhook_endpoint_merchant_is_active" BEFORE INSERT ON "webhook_endpoint"
  FOR EACH ROW EXECUTE FUNCTION "require_active_merchant"();

-- A bank's code for comparison: as providers read it, without separators and characters that nobody sees.
CREATE FUNCTION "compared_bank_code"(code text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT upper(regexp_replace(normalize(code, NFKC), '[^0-9A-Za-z]', '', 'g'))
$$;

-- Replaces the comparison of bank codes as typed.
CREATE OR REPLACE FUNCTION "payout_total_of_recipient"(payout payout_intent) RETURNS numeric LANGUAGE sql STABLE AS $$
  SELECT sum(p.amount) FROM payouts_beside(payout) p
  WHERE compared_bank_code(p.recipient_bank_code) = compared_bank_code(payout.recipient_bank_code) AND (
    p.account_digest = payout.account_digest
    OR EXISTS (SELECT FROM payout_account a
               WHERE a.merchant_id = p.merchant_id AND a.payout_id = p.id AND a.digest = payout.account_digest))
$$;
