-- Limits of payouts: of a merchant, of each recipient of a merchant, and of an API key. Without a row there is none.

-- CreateTable
CREATE TABLE "payout_limit" (
    "merchant_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "applies_to" TEXT NOT NULL,
    "amount_at_most" DECIMAL(38,0),
    "day_at_most" DECIMAL(38,0),
    "recipient_day_at_most" DECIMAL(38,0),

    CONSTRAINT "payout_limit_pkey" PRIMARY KEY ("merchant_id","environment","currency","applies_to")
);

-- AddForeignKey
ALTER TABLE "payout_limit" ADD CONSTRAINT "payout_limit_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- --------------------------------------------------------------------------------------------------------------------
-- Guarantees.
-- --------------------------------------------------------------------------------------------------------------------

ALTER TABLE "payout_limit"
  ADD CONSTRAINT "payout_limit_environment_known" CHECK (environment IN ('test', 'live')),
  ADD CONSTRAINT "payout_limit_currency_form" CHECK (currency ~ '^[A-Z]{3,6}$'),
  ADD CONSTRAINT "payout_limit_applies_to_form" CHECK (applies_to = 'merchant' OR applies_to LIKE 'key\_%'),
  ADD CONSTRAINT "payout_limit_limits_something" CHECK (num_nonnulls(amount_at_most, day_at_most, recipient_day_at_most) > 0),
  ADD CONSTRAINT "payout_limit_positive" CHECK (least(amount_at_most, day_at_most, recipient_day_at_most) > 0),
  ADD CONSTRAINT "payout_limit_recipients_are_the_merchants" CHECK (applies_to = 'merchant' OR recipient_day_at_most IS NULL);

CREATE TRIGGER "payout_limit_is_not_truncated" BEFORE TRUNCATE ON "payout_limit"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"('payout_limit_is_not_truncated');

-- The payouts in the currency and on the UTC day of this one, itself included, without those that came to nothing.
CREATE FUNCTION "payouts_beside"(payout payout_intent) RETURNS SETOF payout_intent LANGUAGE sql STABLE AS $$
  SELECT p.* FROM payout_intent p
  WHERE p.merchant_id = payout.merchant_id AND p.environment = payout.environment AND p.currency = payout.currency
    AND p.status NOT IN ('cancelled', 'failed')
    AND p.created_at >= date_trunc('day', payout.created_at, 'UTC')
    AND p.created_at < date_trunc('day', payout.created_at, 'UTC') + interval '24 hours'
$$;

-- The day's total of the API key that made the payout.
CREATE FUNCTION "payout_total_of_key"(payout payout_intent) RETURNS numeric LANGUAGE sql STABLE AS $$
  SELECT sum(p.amount) FROM payouts_beside(payout) p
  WHERE p.created_by_type = 'api_key' AND p.created_by_id = payout.created_by_id
$$;

-- The day's total of the recipient. A payout from before a rotation of keys is found by the digest added later.
CREATE FUNCTION "payout_total_of_recipient"(payout payout_intent) RETURNS numeric LANGUAGE sql STABLE AS $$
  SELECT sum(p.amount) FROM payouts_beside(payout) p
  WHERE p.recipient_bank_code = payout.recipient_bank_code AND (
    p.account_digest = payout.account_digest
    OR EXISTS (SELECT FROM payout_account a
               WHERE a.merchant_id = p.merchant_id AND a.payout_id = p.id AND a.digest = payout.account_digest))
$$;

-- Creations in one currency wait for each other at the wallet's balance, so at the end of the statement, when this runs, the
-- later sees the earlier.
CREATE FUNCTION "require_payout_limits"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  cap payout_limit;
  broken text;
BEGIN
  FOR cap IN
    SELECT * FROM payout_limit l
    WHERE l.merchant_id = NEW.merchant_id AND l.environment = NEW.environment AND l.currency = NEW.currency
      AND l.applies_to IN ('merchant', NEW.created_by_id)
  LOOP
    IF cap.applies_to <> 'merchant' THEN
      IF NEW.amount > cap.amount_at_most
         OR cap.day_at_most IS NOT NULL AND payout_total_of_key(NEW) > cap.day_at_most THEN
        broken := 'payout_within_key_limit';
      END IF;
    ELSIF cap.recipient_day_at_most IS NOT NULL AND payout_total_of_recipient(NEW) > cap.recipient_day_at_most THEN
      broken := 'payout_within_recipient_limit';
    ELSIF NEW.amount > cap.amount_at_most
       OR cap.day_at_most IS NOT NULL
          AND payout_total_of_day(NEW.merchant_id, NEW.environment, NEW.currency, NEW.created_at) > cap.day_at_most THEN
      broken := 'payout_within_merchant_limit';
    END IF;
    IF broken IS NOT NULL THEN
      RAISE EXCEPTION 'payout % violates rule "%"', NEW.id, broken
        USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = broken;
    END IF;
  END LOOP;
  RETURN NULL;
END
$$;
CREATE TRIGGER "payout_intent_is_within_limits" AFTER INSERT ON "payout_intent"
  FOR EACH ROW EXECUTE FUNCTION "require_payout_limits"();
