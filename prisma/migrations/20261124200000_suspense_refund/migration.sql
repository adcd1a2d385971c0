-- Refunds of money in suspense: one member proposes, another person confirms, and the provider sends the money back to the payer.
-- The money stays in suspense, and its exception stays open and reserved, until the provider has settled the refund.

-- CreateTable
CREATE TABLE "suspense_refund" (
    "merchant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "exception_id" TEXT NOT NULL,
    "fact" TEXT NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "payment_id" TEXT NOT NULL,
    "payment_reference" TEXT NOT NULL,
    "provider_reference" TEXT,
    "receipt_id" TEXT,
    "provider" TEXT NOT NULL,
    "reference" TEXT NOT NULL,
    "amount" DECIMAL(38,0) NOT NULL,
    "currency" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "proposed_by_id" TEXT NOT NULL,
    "proposed_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_by_id" TEXT,
    "decided_at" TIMESTAMPTZ(3),
    "due_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "suspense_refund_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "suspense_refund_merchant_id_environment_fact_ordinal_key" ON "suspense_refund"("merchant_id", "environment", "fact", "ordinal");

-- --------------------------------------------------------------------------------------------------------------------
-- Guarantees.
-- --------------------------------------------------------------------------------------------------------------------

ALTER TABLE "suspense_refund"
  ADD CONSTRAINT "suspense_refund_id_prefix" CHECK (starts_with(id, 'sref_')),
  ADD CONSTRAINT "suspense_refund_environment_known" CHECK (environment IN ('test', 'live')),
  ADD CONSTRAINT "suspense_refund_ordinal_counts_from_one" CHECK (ordinal >= 1),
  ADD CONSTRAINT "suspense_refund_of_a_payment" CHECK (starts_with(payment_id, 'dord_')),
  ADD CONSTRAINT "suspense_refund_reference_form" CHECK (reference ~ '^sref_[0-9a-z_]{26,58}$'),
  ADD CONSTRAINT "suspense_refund_provider_form" CHECK (provider ~ '^[a-z][a-z0-9_-]{0,31}$'),
  ADD CONSTRAINT "suspense_refund_amount_positive" CHECK (amount > 0),
  ADD CONSTRAINT "suspense_refund_currency_form" CHECK (currency ~ '^[A-Z]{3,6}$'),
  ADD CONSTRAINT "suspense_refund_reason_says_something" CHECK (char_length(reason) BETWEEN 1 AND 512),
  ADD CONSTRAINT "suspense_refund_state_known" CHECK (
    state IN ('proposed', 'rejected', 'confirmed', 'settled', 'failed', 'returned')),
  ADD CONSTRAINT "suspense_refund_decided_whole" CHECK (
    (decided_at IS NULL) = (state = 'proposed') AND (decided_by_id IS NULL) = (state = 'proposed')),
  ADD CONSTRAINT "suspense_refund_two_people" CHECK (
    state IN ('proposed', 'rejected') OR decided_by_id <> proposed_by_id),
  ADD CONSTRAINT "suspense_refund_due_while_confirmed" CHECK ((due_at IS NOT NULL) = (state = 'confirmed')),
  ADD CONSTRAINT "suspense_refund_ended_whole" CHECK (
    (ended_at IS NOT NULL) = (state IN ('settled', 'failed', 'returned'))),
  ADD CONSTRAINT "suspense_refund_time_runs_forward" CHECK (decided_at >= proposed_at AND ended_at >= decided_at);

-- A fact is refunded once: a further refund of it needs a definite refusal of the one before.
CREATE UNIQUE INDEX "suspense_refund_one_per_fact" ON "suspense_refund" (merchant_id, environment, fact)
  WHERE state IN ('proposed', 'confirmed', 'settled', 'returned');
-- A rejected proposal was never sent: the next one has its reference.
CREATE UNIQUE INDEX "suspense_refund_one_per_reference" ON "suspense_refund" (merchant_id, reference) WHERE state <> 'rejected';
CREATE INDEX "suspense_refund_due" ON "suspense_refund" (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX "suspense_refund_due_in_test" ON "suspense_refund" (merchant_id, due_at)
  WHERE due_at IS NOT NULL AND environment = 'test';

CREATE TRIGGER "suspense_refund_begins_proposed" BEFORE INSERT ON "suspense_refund"
  FOR EACH ROW WHEN (NEW.state <> 'proposed') EXECUTE FUNCTION "refuse_change"('suspense_refund_begins_proposed');
CREATE TRIGGER "suspense_refund_stays" BEFORE DELETE ON "suspense_refund"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('suspense_refund_stays');
CREATE TRIGGER "suspense_refund_is_not_truncated" BEFORE TRUNCATE ON "suspense_refund"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"('suspense_refund_is_not_truncated');
CREATE TRIGGER "suspense_refund_content_is_fixed" BEFORE UPDATE ON "suspense_refund"
  FOR EACH ROW WHEN (
    (OLD.merchant_id, OLD.id, OLD.environment, OLD.exception_id, OLD.fact, OLD.ordinal, OLD.payment_id,
     OLD.payment_reference, OLD.provider_reference, OLD.receipt_id, OLD.provider, OLD.reference, OLD.amount,
     OLD.currency, OLD.reason, OLD.digest, OLD.proposed_by_id, OLD.proposed_at)
    IS DISTINCT FROM
    (NEW.merchant_id, NEW.id, NEW.environment, NEW.exception_id, NEW.fact, NEW.ordinal, NEW.payment_id,
     NEW.payment_reference, NEW.provider_reference, NEW.receipt_id, NEW.provider, NEW.reference, NEW.amount,
     NEW.currency, NEW.reason, NEW.digest, NEW.proposed_by_id, NEW.proposed_at)
    OR OLD.decided_at IS NOT NULL
      AND (OLD.decided_by_id, OLD.decided_at) IS DISTINCT FROM (NEW.decided_by_id, NEW.decided_at))
  EXECUTE FUNCTION "refuse_change"('suspense_refund_content_is_fixed');
-- While a refund is confirmed only its due time changes.
CREATE TRIGGER "suspense_refund_moves_forward" AFTER UPDATE ON "suspense_refund"
  FOR EACH ROW WHEN ((OLD.state, NEW.state) NOT IN (
    ('proposed', 'rejected'), ('proposed', 'confirmed'), ('confirmed', 'confirmed'), ('confirmed', 'settled'),
    ('confirmed', 'failed'), ('settled', 'returned')))
  EXECUTE FUNCTION "refuse_change"('suspense_refund_moves_forward');

-- The exception is open and about this fact. The lock makes a decision about its money wait, or finds it.
CREATE FUNCTION "require_open_exception"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM exception x
  WHERE x.merchant_id = NEW.merchant_id AND x.id = NEW.exception_id AND x.environment = NEW.environment
    AND x.fact = NEW.fact AND x.resolved_at IS NULL
  FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'refund % violates rule "suspense_refund_exception_is_open"', NEW.id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'suspense_refund_exception_is_open';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER "suspense_refund_exception_is_open" AFTER INSERT ON "suspense_refund"
  FOR EACH ROW EXECUTE FUNCTION "require_open_exception"();
CREATE TRIGGER "suspense_refund_exception_stays_open" AFTER UPDATE OF state ON "suspense_refund"
  FOR EACH ROW WHEN (NEW.state = 'confirmed' AND OLD.state = 'proposed') EXECUTE FUNCTION "require_open_exception"();
CREATE TRIGGER "suspense_refund_merchant_is_active" AFTER UPDATE OF state ON "suspense_refund"
  FOR EACH ROW WHEN (NEW.state = 'confirmed' AND OLD.state = 'proposed') EXECUTE FUNCTION "require_active_merchant"();

-- It is exactly the money that the fact booked into suspense, through this provider.
CREATE FUNCTION "require_money_in_suspense"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM ledger_transaction t
    JOIN ledger_entry e ON e.merchant_id = t.merchant_id AND e.transaction_id = t.id AND e.kind = 'suspense'
    WHERE t.merchant_id = NEW.merchant_id AND t.environment = NEW.environment AND t.unique_key = NEW.fact
      AND t.intent_id = NEW.payment_id AND e.currency = NEW.currency AND e.amount = NEW.amount
  ) THEN
    RAISE EXCEPTION 'refund % violates rule "suspense_refund_is_of_its_money"', NEW.id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'suspense_refund_is_of_its_money';
  END IF;
  RETURN NEW;
END
$$;
CREATE CONSTRAINT TRIGGER "suspense_refund_is_of_its_money" AFTER INSERT ON "suspense_refund"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "require_money_in_suspense"();

-- The roles that decide on exceptions; a test compares them with the permissions.
CREATE FUNCTION "may_decide_exceptions"(roles text[]) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT roles && ARRAY['owner', 'admin', 'finance']
$$;

-- The proposer is still active and may still propose; who confirms may approve payouts, with authority older than the proposal.
CREATE FUNCTION "require_two_people_of_refund"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  proposer member;
  confirmer member;
BEGIN
  SELECT * INTO proposer FROM member m
  WHERE m.merchant_id = NEW.merchant_id AND m.id = NEW.proposed_by_id AND m.disabled_at IS NULL
    AND may_decide_exceptions(roles_in(m, NEW.environment))
  FOR SHARE;
  SELECT * INTO confirmer FROM member m
  WHERE m.merchant_id = NEW.merchant_id AND m.id = NEW.decided_by_id AND m.disabled_at IS NULL
    AND may_decide_exceptions(roles_in(m, NEW.environment)) AND may_approve(roles_in(m, NEW.environment))
  FOR SHARE;
  IF proposer.id IS NULL THEN
    RAISE EXCEPTION 'refund % violates rule "suspense_refund_proposer_may_propose"', NEW.id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'suspense_refund_proposer_may_propose';
  END IF;
  IF confirmer.id IS NULL OR NEW.proposed_at < (CASE NEW.environment WHEN 'live' THEN confirmer.authority_live_from
                                                                     ELSE confirmer.authority_test_from END) THEN
    RAISE EXCEPTION 'refund % violates rule "suspense_refund_confirmer_may_confirm"', NEW.id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'suspense_refund_confirmer_may_confirm';
  END IF;
  IF lower(btrim(proposer.email)) = lower(btrim(confirmer.email)) THEN
    RAISE EXCEPTION 'refund % violates rule "suspense_refund_two_people"', NEW.id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'suspense_refund_two_people';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER "suspense_refund_people_are_fit" AFTER UPDATE OF state ON "suspense_refund"
  FOR EACH ROW WHEN (NEW.state = 'confirmed' AND OLD.state = 'proposed')
  EXECUTE FUNCTION "require_two_people_of_refund"();

-- Nobody decides otherwise about the money of a refund that is proposed or on its way. The exception's row is locked by now, as
-- it is by a proposal.
CREATE FUNCTION "require_no_open_refund"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM suspense_refund r
    WHERE r.merchant_id = NEW.merchant_id AND r.environment = NEW.environment AND r.fact = NEW.fact
      AND r.state IN ('proposed', 'confirmed')
  ) THEN
    RAISE EXCEPTION 'exception % violates rule "exception_refund_is_over"', NEW.id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'exception_refund_is_over';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER "exception_refund_is_over" BEFORE UPDATE OF resolved_at ON "exception"
  FOR EACH ROW WHEN (OLD.resolved_at IS NULL AND NEW.resolved_at IS NOT NULL)
  EXECUTE FUNCTION "require_no_open_refund"();

-- At the end of the transaction: a settled refund has its booking, and one that came back has its own.
CREATE FUNCTION "require_booking_of_refund"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM ledger_transaction t
    JOIN ledger_entry e ON e.merchant_id = t.merchant_id AND e.transaction_id = t.id
    WHERE t.merchant_id = NEW.merchant_id AND t.environment = NEW.environment AND t.intent_id = NEW.payment_id
      AND t.unique_key = CASE NEW.state WHEN 'settled' THEN 'settled:' || NEW.fact ELSE 'refund_returned:' || NEW.id END
      AND e.kind = 'provider_clearing:' || NEW.provider AND e.currency = NEW.currency
      AND e.amount = CASE NEW.state WHEN 'settled' THEN NEW.amount ELSE -NEW.amount END
  ) THEN
    RAISE EXCEPTION 'refund % violates rule "suspense_refund_is_booked"', NEW.id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'suspense_refund_is_booked';
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER "suspense_refund_is_booked" AFTER UPDATE OF state ON "suspense_refund"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.state IN ('settled', 'returned') AND OLD.state <> NEW.state)
  EXECUTE FUNCTION "require_booking_of_refund"();

ALTER TABLE "suspense_refund" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "suspense_refund_within_reach" ON "suspense_refund" USING (within_reach(merchant_id));

-- --------------------------------------------------------------------------------------------------------------------
-- Calls: announced only for a confirmed refund under its own reference, and paused as payouts are.
-- --------------------------------------------------------------------------------------------------------------------

CREATE FUNCTION "require_confirmed_refund"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM suspense_refund r
    WHERE r.merchant_id = NEW.merchant_id AND r.id = NEW.intent_id AND r.environment = NEW.environment
      AND r.provider = NEW.provider AND r.reference = NEW.reference AND r.state = 'confirmed')
  THEN
    RAISE EXCEPTION 'attempt % violates rule "refund_is_confirmed"', NEW.id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'refund_is_confirmed';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER "provider_attempt_refund_is_confirmed" BEFORE INSERT ON "provider_attempt"
  FOR EACH ROW WHEN (starts_with(NEW.intent_id, 'sref_')) EXECUTE FUNCTION "require_confirmed_refund"();

-- As before, and the currency of a refund.
CREATE OR REPLACE FUNCTION "require_running_dispatch"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM dispatch_pause d
    WHERE d.resumed_at IS NULL
      AND (d.provider IS NULL OR d.provider = NEW.provider)
      AND (d.merchant_id IS NULL OR d.merchant_id = NEW.merchant_id)
      AND (d.currency IS NULL OR EXISTS (
        SELECT FROM payout_intent i
        WHERE i.merchant_id = NEW.merchant_id AND i.id = NEW.intent_id AND i.currency = d.currency)
      OR EXISTS (
        SELECT FROM suspense_refund r
        WHERE r.merchant_id = NEW.merchant_id AND r.id = NEW.intent_id AND r.currency = d.currency))
  ) OR EXISTS (SELECT FROM installation n WHERE n.database_identity <> current_database_identity())
    OR EXISTS (SELECT FROM merchant m WHERE m.id = NEW.merchant_id AND m.suspended_at IS NOT NULL)
  THEN
    RAISE EXCEPTION 'attempt about % violates rule "dispatch_is_running"', NEW.intent_id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'dispatch_is_running';
  END IF;
  RETURN NEW;
END
$$;
DROP TRIGGER "provider_attempt_dispatch_is_running" ON "provider_attempt";
CREATE TRIGGER "provider_attempt_dispatch_is_running" BEFORE INSERT ON "provider_attempt"
  FOR EACH ROW WHEN (NEW.state = 'started' AND (starts_with(NEW.intent_id, 'word_') OR starts_with(NEW.intent_id, 'sref_')))
  EXECUTE FUNCTION "require_running_dispatch"();

-- --------------------------------------------------------------------------------------------------------------------
-- Settlement files list refunds.
-- --------------------------------------------------------------------------------------------------------------------
ALTER TABLE "settlement_line"
  DROP CONSTRAINT "settlement_line_kind_known",
  ADD CONSTRAINT "settlement_line_kind_known" CHECK (
    kind IN ('payment', 'payout', 'topup', 'refund', 'fee', 'bank_credit', 'bank_debit'));
