-- Manual resolutions (an intent that is ended by two people, with evidence) and journal entries (a ledger transaction that
-- two operators make, with evidence). Exceptions of states that last are looked up by what they are about.

-- CreateTable
CREATE TABLE "manual_resolution" (
    "merchant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "intent_id" TEXT NOT NULL,
    "intent_revision" INTEGER NOT NULL,
    "outcome" TEXT NOT NULL,
    "amount" DECIMAL(38,0),
    "currency" TEXT,
    "provider_reference" TEXT,
    "evidence" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "proposed_by_type" TEXT NOT NULL,
    "proposed_by_id" TEXT NOT NULL,
    "proposed_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_by_type" TEXT,
    "decided_by_id" TEXT,
    "decided_at" TIMESTAMPTZ(3),

    CONSTRAINT "manual_resolution_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "journal_entry" (
    "merchant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "from_account" TEXT NOT NULL,
    "to_account" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "amount" DECIMAL(38,0) NOT NULL,
    "provider" TEXT,
    "evidence" TEXT NOT NULL,
    "exception_id" TEXT,
    "state" TEXT NOT NULL,
    "proposed_by_id" TEXT NOT NULL,
    "proposed_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_by_id" TEXT,
    "decided_at" TIMESTAMPTZ(3),

    CONSTRAINT "journal_entry_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateIndex
CREATE INDEX "manual_resolution_merchant_id_intent_id_idx" ON "manual_resolution"("merchant_id", "intent_id");

-- CreateIndex
CREATE INDEX "exception_merchant_id_object_id_idx" ON "exception"("merchant_id", "object_id");

-- --------------------------------------------------------------------------------------------------------------------
-- Manual resolutions: proposed by one person, confirmed by an operator who is another.
-- --------------------------------------------------------------------------------------------------------------------

-- The sum is what really moved, in minor units of `currency`: null exactly where nothing did.
ALTER TABLE "manual_resolution"
  ADD CONSTRAINT "manual_resolution_id_prefix" CHECK (starts_with(id, 'mres_')),
  ADD CONSTRAINT "manual_resolution_environment_known" CHECK (environment IN ('test', 'live')),
  ADD CONSTRAINT "manual_resolution_revision_counts_up" CHECK (intent_revision >= 0),
  ADD CONSTRAINT "manual_resolution_outcome_of_kind" CHECK (
    CASE left(intent_id, 5)
      WHEN 'word_' THEN outcome IN ('settled', 'failed')
      WHEN 'dord_' THEN outcome IN ('succeeded', 'failed')
      WHEN 'tuin_' THEN outcome IN ('succeeded', 'failed')
      ELSE false END),
  ADD CONSTRAINT "manual_resolution_amount_where_moved" CHECK (
    (amount IS NULL) = (outcome = 'failed') AND (currency IS NULL) = (outcome = 'failed')),
  ADD CONSTRAINT "manual_resolution_amount_positive" CHECK (amount > 0),
  ADD CONSTRAINT "manual_resolution_currency_form" CHECK (currency ~ '^[A-Z]{3,6}$'),
  ADD CONSTRAINT "manual_resolution_provider_reference_form" CHECK (provider_reference ~ '^[ -~]{1,255}$'),
  ADD CONSTRAINT "manual_resolution_evidence_given" CHECK (
    btrim(evidence) <> '' AND char_length(evidence) <= 2000),
  ADD CONSTRAINT "manual_resolution_digest_form" CHECK (digest ~ '^[0-9a-f]{64}$'),
  ADD CONSTRAINT "manual_resolution_state_known" CHECK (state IN ('proposed', 'confirmed', 'rejected', 'superseded')),
  ADD CONSTRAINT "manual_resolution_proposed_by_type_known" CHECK (proposed_by_type IN ('member', 'operator')),
  ADD CONSTRAINT "manual_resolution_decided_by_type_known" CHECK (
    decided_by_type IN ('member', 'operator', 'worker')),
  ADD CONSTRAINT "manual_resolution_decided_whole" CHECK (
    (decided_at IS NULL) = (state = 'proposed') AND (decided_by_type IS NULL) = (state = 'proposed')
    AND (decided_by_id IS NULL) = (state = 'proposed')),
  ADD CONSTRAINT "manual_resolution_operator_confirms" CHECK (state <> 'confirmed' OR decided_by_type = 'operator'),
  ADD CONSTRAINT "manual_resolution_two_people" CHECK (
    state <> 'confirmed' OR lower(btrim(decided_by_id)) <> lower(btrim(proposed_by_id))),
  ADD CONSTRAINT "manual_resolution_time_runs_forward" CHECK (decided_at >= proposed_at);

-- One proposal is open per intent, and an intent is ended by one.
CREATE UNIQUE INDEX "manual_resolution_one_proposed" ON "manual_resolution" (merchant_id, intent_id)
  WHERE state = 'proposed';
CREATE UNIQUE INDEX "manual_resolution_one_confirmed" ON "manual_resolution" (merchant_id, intent_id)
  WHERE state = 'confirmed';

CREATE TRIGGER "manual_resolution_begins_proposed" BEFORE INSERT ON "manual_resolution"
  FOR EACH ROW WHEN (NEW.state <> 'proposed') EXECUTE FUNCTION "refuse_change"('manual_resolution_begins_proposed');
CREATE TRIGGER "manual_resolution_stays" BEFORE DELETE ON "manual_resolution"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('manual_resolution_stays');
CREATE TRIGGER "manual_resolution_is_not_truncated" BEFORE TRUNCATE ON "manual_resolution"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"('manual_resolution_is_not_truncated');
CREATE TRIGGER "manual_resolution_decision_is_final" BEFORE UPDATE ON "manual_resolution"
  FOR EACH ROW WHEN (OLD.state <> 'proposed')
  EXECUTE FUNCTION "refuse_change"('manual_resolution_decision_is_final');
CREATE TRIGGER "manual_resolution_content_is_fixed" BEFORE UPDATE ON "manual_resolution"
  FOR EACH ROW WHEN (
    (OLD.merchant_id, OLD.id, OLD.environment, OLD.intent_id, OLD.intent_revision, OLD.outcome, OLD.amount,
     OLD.currency, OLD.provider_reference, OLD.evidence, OLD.digest, OLD.proposed_by_type, OLD.proposed_by_id,
     OLD.proposed_at)
    IS DISTINCT FROM
    (NEW.merchant_id, NEW.id, NEW.environment, NEW.intent_id, NEW.intent_revision, NEW.outcome, NEW.amount,
     NEW.currency, NEW.provider_reference, NEW.evidence, NEW.digest, NEW.proposed_by_type, NEW.proposed_by_id,
     NEW.proposed_at))
  EXECUTE FUNCTION "refuse_change"('manual_resolution_content_is_fixed');

-- A member and an operator can be one person, whose address the operator's name then is.
CREATE FUNCTION "require_second_person"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM member m
    WHERE NEW.proposed_by_type = 'member' AND m.merchant_id = NEW.merchant_id AND m.id = NEW.proposed_by_id
      AND lower(btrim(m.email)) = lower(btrim(NEW.decided_by_id))
  ) THEN
    RAISE EXCEPTION 'manual resolution % violates rule "manual_resolution_two_people"', NEW.id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'manual_resolution_two_people';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER "manual_resolution_second_person" BEFORE UPDATE ON "manual_resolution"
  FOR EACH ROW WHEN (NEW.state = 'confirmed') EXECUTE FUNCTION "require_second_person"();

-- An intent is ended by hand only with a confirmed resolution of exactly that revision and outcome. A payout is not failed
-- by hand while a call that may have been accepted can still be on its way: evidence about earlier calls says nothing of
-- that one. Asked after the statement, under the intent's lock and on a snapshot of its own, as announcing a call takes
-- the same lock.
CREATE FUNCTION "require_confirmed_resolution"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM manual_resolution r
    WHERE r.merchant_id = NEW.merchant_id AND r.intent_id = NEW.object_id AND r.environment = NEW.environment
      AND r.state = 'confirmed' AND r.intent_revision = (NEW.before->>'revision')::int
      AND split_part(NEW.action, '.', 2) = 'resolved_' || r.outcome
  ) THEN
    RAISE EXCEPTION 'manual end of % violates rule "manual_end_is_confirmed"', NEW.object_id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'manual_end_is_confirmed';
  END IF;
  IF NEW.action = 'payout_intent.resolved_failed' AND EXISTS (
    SELECT FROM provider_attempt a
    WHERE a.merchant_id = NEW.merchant_id AND a.intent_id = NEW.object_id
      AND coalesce(a.outcome, '') NOT IN ('never_accepted', 'not_sent')
      AND a.started_at > NEW.created_at - interval '10 minutes'
  ) THEN
    RAISE EXCEPTION 'manual failure of % violates rule "manual_failure_is_certain"', NEW.object_id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'manual_failure_is_certain';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER "audit_entry_manual_end_is_confirmed" AFTER INSERT ON "audit_entry"
  FOR EACH ROW WHEN (NEW.action IN (
    'payment_intent.resolved_succeeded', 'payment_intent.resolved_failed', 'payout_intent.resolved_settled',
    'payout_intent.resolved_failed', 'topup_intent.resolved_succeeded', 'topup_intent.resolved_failed'))
  EXECUTE FUNCTION "require_confirmed_resolution"();

-- While a provider's report that another sum has left awaits a person, no later report releases the hold.
CREATE FUNCTION "require_no_reported_settlement"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM exception x
    WHERE x.merchant_id = NEW.merchant_id AND x.object_id = NEW.id AND x.kind = 'contradiction'
      AND x.resolved_at IS NULL AND starts_with(x.fact, 'contradiction:' || NEW.id || ':settled ')
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
CREATE TRIGGER "payout_intent_reported_settlement_awaits_a_person" AFTER UPDATE OF status ON "payout_intent"
  FOR EACH ROW WHEN (OLD.status = 'processing' AND NEW.status = 'failed')
  EXECUTE FUNCTION "require_no_reported_settlement"();

-- --------------------------------------------------------------------------------------------------------------------
-- Journal entries: proposed by one operator, confirmed by another, booked in the commit of the confirmation.
-- --------------------------------------------------------------------------------------------------------------------

-- Held funds belong to payouts and money in suspense to exceptions, each with exits of its own.
ALTER TABLE "journal_entry"
  ADD CONSTRAINT "journal_entry_id_prefix" CHECK (starts_with(id, 'jrn_')),
  ADD CONSTRAINT "journal_entry_environment_known" CHECK (environment IN ('test', 'live')),
  ADD CONSTRAINT "journal_entry_from_account_known" CHECK (
    from_account IN ('available', 'provider_clearing', 'bank', 'fees', 'fx_spread', 'funding')),
  ADD CONSTRAINT "journal_entry_to_account_known" CHECK (
    to_account IN ('available', 'provider_clearing', 'bank', 'fees', 'fx_spread', 'funding')),
  ADD CONSTRAINT "journal_entry_accounts_differ" CHECK (from_account <> to_account),
  ADD CONSTRAINT "journal_entry_provider_of_clearing" CHECK (
    (provider IS NOT NULL) = (from_account = 'provider_clearing' OR to_account = 'provider_clearing')),
  ADD CONSTRAINT "journal_entry_provider_form" CHECK (provider ~ '^[a-z][a-z0-9_-]{0,31}$'),
  ADD CONSTRAINT "journal_entry_currency_form" CHECK (currency ~ '^[A-Z]{3,6}$'),
  ADD CONSTRAINT "journal_entry_amount_positive" CHECK (amount > 0),
  ADD CONSTRAINT "journal_entry_evidence_given" CHECK (btrim(evidence) <> '' AND char_length(evidence) <= 2000),
  ADD CONSTRAINT "journal_entry_state_known" CHECK (state IN ('proposed', 'confirmed', 'rejected')),
  ADD CONSTRAINT "journal_entry_decided_whole" CHECK (
    (decided_at IS NULL) = (state = 'proposed') AND (decided_by_id IS NULL) = (state = 'proposed')),
  ADD CONSTRAINT "journal_entry_two_people" CHECK (
    state <> 'confirmed' OR lower(btrim(decided_by_id)) <> lower(btrim(proposed_by_id))),
  ADD CONSTRAINT "journal_entry_time_runs_forward" CHECK (decided_at >= proposed_at);

CREATE TRIGGER "journal_entry_begins_proposed" BEFORE INSERT ON "journal_entry"
  FOR EACH ROW WHEN (NEW.state <> 'proposed') EXECUTE FUNCTION "refuse_change"('journal_entry_begins_proposed');
CREATE TRIGGER "journal_entry_stays" BEFORE DELETE ON "journal_entry"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('journal_entry_stays');
CREATE TRIGGER "journal_entry_is_not_truncated" BEFORE TRUNCATE ON "journal_entry"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"('journal_entry_is_not_truncated');
CREATE TRIGGER "journal_entry_decision_is_final" BEFORE UPDATE ON "journal_entry"
  FOR EACH ROW WHEN (OLD.state <> 'proposed') EXECUTE FUNCTION "refuse_change"('journal_entry_decision_is_final');
CREATE TRIGGER "journal_entry_content_is_fixed" BEFORE UPDATE ON "journal_entry"
  FOR EACH ROW WHEN (
    (OLD.merchant_id, OLD.id, OLD.environment, OLD.from_account, OLD.to_account, OLD.currency, OLD.amount, OLD.provider,
     OLD.evidence, OLD.exception_id, OLD.proposed_by_id, OLD.proposed_at)
    IS DISTINCT FROM
    (NEW.merchant_id, NEW.id, NEW.environment, NEW.from_account, NEW.to_account, NEW.currency, NEW.amount, NEW.provider,
     NEW.evidence, NEW.exception_id, NEW.proposed_by_id, NEW.proposed_at))
  EXECUTE FUNCTION "refuse_change"('journal_entry_content_is_fixed');

ALTER TABLE "ledger_transaction"
  DROP CONSTRAINT "ledger_transaction_reason_known",
  ADD CONSTRAINT "ledger_transaction_reason_known" CHECK (
    reason IN ('funding', 'payment_credit', 'payout_hold', 'payout_release', 'payout_settlement', 'topup_credit',
               'late_money', 'amount_mismatch', 'bank_return', 'provider_fee', 'funds_dropped', 'suspense_settlement',
               'provider_settlement', 'clearing_split', 'journal'));

-- The stored name of an account that a journal entry names.
CREATE FUNCTION "journal_account_name"(account text, provider text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE account WHEN 'provider_clearing' THEN account || ':' || provider ELSE account END
$$;

-- At the end of the statement, when the entries are there: the transaction is the confirmed entry, to the unit.
CREATE FUNCTION "require_confirmed_journal_entry"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM journal_entry j
    WHERE j.merchant_id = NEW.merchant_id AND j.environment = NEW.environment AND j.state = 'confirmed'
      AND NEW.unique_key = 'journal:' || j.id AND NEW.intent_id IS NULL
      AND 2 = (
        SELECT count(*) FROM ledger_entry e
        WHERE e.merchant_id = NEW.merchant_id AND e.transaction_id = NEW.id AND e.currency = j.currency
          AND (e.kind, e.amount) IN (
            (journal_account_name(j.from_account, j.provider), -j.amount),
            (journal_account_name(j.to_account, j.provider), j.amount)))
  ) OR 2 <> (
    SELECT count(*) FROM ledger_entry e WHERE e.merchant_id = NEW.merchant_id AND e.transaction_id = NEW.id
  ) THEN
    RAISE EXCEPTION 'ledger transaction % violates rule "journal_is_confirmed"', NEW.id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'journal_is_confirmed';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER "ledger_transaction_journal_is_confirmed" AFTER INSERT ON "ledger_transaction"
  FOR EACH ROW WHEN (NEW.reason = 'journal') EXECUTE FUNCTION "require_confirmed_journal_entry"();

-- --------------------------------------------------------------------------------------------------------------------
-- A payout that was resolved as settled for less than its amount has returned the rest already: its bank can return what
-- has left and no more. Without such a resolution the settlement is the amount, as before.
-- --------------------------------------------------------------------------------------------------------------------
CREATE OR REPLACE FUNCTION "require_return_within_payout"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM payout_intent p
    LEFT JOIN manual_resolution r ON r.merchant_id = p.merchant_id AND r.intent_id = p.id AND r.state = 'confirmed'
    WHERE p.merchant_id = NEW.merchant_id AND p.id = NEW.intent_id AND p.status = 'succeeded'
      AND p.environment = NEW.environment AND least(p.amount, r.amount) >= (
        SELECT sum(e.amount) FROM ledger_transaction t
        JOIN ledger_entry e ON e.merchant_id = t.merchant_id AND e.transaction_id = t.id
        WHERE t.merchant_id = NEW.merchant_id AND t.intent_id = NEW.intent_id AND t.reason = 'bank_return'
          AND e.kind = 'available')
  ) THEN
    RAISE EXCEPTION 'bank return % violates rule "bank_return_within_payout"', NEW.id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'bank_return_within_payout';
  END IF;
  RETURN NULL;
END
$$;
