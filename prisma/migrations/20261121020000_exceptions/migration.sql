-- Exceptions (what a person must look at), bank returns and providers' fees in the ledger, and settlement files with
-- their lines, each held against our books.

-- CreateTable
CREATE TABLE "exception" (
    "merchant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "object_id" TEXT NOT NULL,
    "fact" TEXT NOT NULL,
    "detail" JSONB NOT NULL,
    "owner_id" TEXT,
    "opened_at" TIMESTAMPTZ(3) NOT NULL,
    "resolution" TEXT,
    "resolved_at" TIMESTAMPTZ(3),
    "resolved_by_type" TEXT,
    "resolved_by_id" TEXT,

    CONSTRAINT "exception_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "settlement_file" (
    "provider" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "period_from" TIMESTAMPTZ(3) NOT NULL,
    "period_to" TIMESTAMPTZ(3) NOT NULL,
    "imported_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "settlement_file_pkey" PRIMARY KEY ("provider","id")
);

-- CreateTable
CREATE TABLE "settlement_line" (
    "provider" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "file_id" TEXT NOT NULL,
    "row" INTEGER NOT NULL,
    "line_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "reference" TEXT,
    "provider_reference" TEXT,
    "amount" DECIMAL(38,0) NOT NULL,
    "currency" TEXT NOT NULL,
    "fee" DECIMAL(38,0) NOT NULL,
    "settled_at" TIMESTAMPTZ(3) NOT NULL,
    "verdict" TEXT NOT NULL,
    "why" TEXT,
    "merchant_id" TEXT,
    "transaction_id" TEXT,

    CONSTRAINT "settlement_line_pkey" PRIMARY KEY ("provider","environment","digest")
);

-- CreateIndex
CREATE UNIQUE INDEX "exception_merchant_id_environment_fact_key" ON "exception"("merchant_id", "environment", "fact");

-- CreateIndex
CREATE UNIQUE INDEX "settlement_file_provider_environment_digest_key" ON "settlement_file"("provider", "environment", "digest");

-- CreateIndex
CREATE INDEX "settlement_line_provider_environment_line_id_idx" ON "settlement_line"("provider", "environment", "line_id");

-- CreateIndex
CREATE INDEX "settlement_line_provider_environment_reference_idx" ON "settlement_line"("provider", "environment", "reference");

-- --------------------------------------------------------------------------------------------------------------------
-- Guarantees.
-- --------------------------------------------------------------------------------------------------------------------

-- Whole or not at all: an exception that is resolved says how, when and by whom. Only what a provider reports of no
-- intent of ours can be nobody's.
ALTER TABLE "exception"
  ADD CONSTRAINT "exception_id_prefix" CHECK (starts_with(id, 'exc_')),
  ADD CONSTRAINT "exception_environment_known" CHECK (environment IN ('test', 'live')),
  ADD CONSTRAINT "exception_kind_known" CHECK (
    kind IN ('late_money', 'amount_mismatch', 'bank_return', 'stuck', 'missing_internal', 'missing_external',
             'duplicate', 'unassigned_fee')),
  ADD CONSTRAINT "exception_has_a_merchant" CHECK (
    merchant_id <> '' OR kind IN ('missing_internal', 'duplicate', 'unassigned_fee')),
  ADD CONSTRAINT "exception_detail_object" CHECK (jsonb_typeof(detail) = 'object'),
  ADD CONSTRAINT "exception_resolved_whole" CHECK (
    (resolved_at IS NULL) = (resolution IS NULL) AND (resolved_at IS NULL) = (resolved_by_type IS NULL)
    AND (resolved_at IS NULL) = (resolved_by_id IS NULL)),
  ADD CONSTRAINT "exception_resolution_says_something" CHECK (char_length(resolution) BETWEEN 1 AND 512),
  ADD CONSTRAINT "exception_resolved_by_type_known" CHECK (resolved_by_type IN ('member', 'worker', 'operator')),
  ADD CONSTRAINT "exception_time_runs_forward" CHECK (resolved_at >= opened_at);

ALTER TABLE "settlement_file"
  ADD CONSTRAINT "settlement_file_id_prefix" CHECK (starts_with(id, 'stf_')),
  ADD CONSTRAINT "settlement_file_environment_known" CHECK (environment IN ('test', 'live')),
  ADD CONSTRAINT "settlement_file_digest_form" CHECK (digest ~ '^[0-9a-f]{64}$'),
  ADD CONSTRAINT "settlement_file_period_runs_forward" CHECK (period_from < period_to);

ALTER TABLE "settlement_line"
  ADD CONSTRAINT "settlement_line_environment_known" CHECK (environment IN ('test', 'live')),
  ADD CONSTRAINT "settlement_line_digest_form" CHECK (digest ~ '^[0-9a-f]{64}$'),
  ADD CONSTRAINT "settlement_line_kind_known" CHECK (kind IN ('payment', 'payout', 'topup', 'fee')),
  ADD CONSTRAINT "settlement_line_verdict_known" CHECK (
    verdict IN ('matched', 'amount_mismatch', 'missing_internal', 'duplicate', 'fee')),
  ADD CONSTRAINT "settlement_line_amount_positive" CHECK (amount > 0),
  ADD CONSTRAINT "settlement_line_fee_not_negative" CHECK (fee >= 0),
  ADD CONSTRAINT "settlement_line_currency_form" CHECK (currency ~ '^[A-Z]{3,6}$'),
  ADD CONSTRAINT "settlement_line_settles_when_matched" CHECK (
    (transaction_id IS NOT NULL) = (verdict IN ('matched', 'amount_mismatch'))),
  ADD CONSTRAINT "settlement_line_movement_has_a_merchant" CHECK (transaction_id IS NULL OR merchant_id IS NOT NULL),
  ADD CONSTRAINT "settlement_line_file_fkey" FOREIGN KEY (provider, file_id) REFERENCES "settlement_file" (provider, id),
  ADD CONSTRAINT "settlement_line_transaction_fkey" FOREIGN KEY (merchant_id, transaction_id)
    REFERENCES "ledger_transaction" (merchant_id, id);

-- One movement of our books is settled by one line.
CREATE UNIQUE INDEX "settlement_line_transaction_key" ON "settlement_line" (merchant_id, transaction_id)
  WHERE transaction_id IS NOT NULL;

-- What is open is looked at often and is little of all.
CREATE INDEX "exception_open" ON "exception" (opened_at) WHERE resolved_at IS NULL;

-- An exception stays, and says the same for good; once it is resolved nothing about it changes.
CREATE TRIGGER "exception_stays" BEFORE DELETE ON "exception"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('exception_stays');
CREATE TRIGGER "exception_resolution_is_final" BEFORE UPDATE ON "exception"
  FOR EACH ROW WHEN (OLD.resolved_at IS NOT NULL)
  EXECUTE FUNCTION "refuse_change"('exception_resolution_is_final');
CREATE TRIGGER "exception_fact_is_fixed"
  BEFORE UPDATE OF merchant_id, id, environment, kind, object_id, fact, detail, opened_at
  ON "exception" FOR EACH ROW
  WHEN ((OLD.merchant_id, OLD.id, OLD.environment, OLD.kind, OLD.object_id, OLD.fact, OLD.detail, OLD.opened_at)
    IS DISTINCT FROM
        (NEW.merchant_id, NEW.id, NEW.environment, NEW.kind, NEW.object_id, NEW.fact, NEW.detail, NEW.opened_at))
  EXECUTE FUNCTION "refuse_change"('exception_fact_is_fixed');

-- A settlement file is a record; of its lines only the verdict moves, and only while our books lack the line.
CREATE TRIGGER "settlement_file_is_append_only" BEFORE UPDATE OR DELETE ON "settlement_file"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('settlement_file_is_append_only');
CREATE TRIGGER "settlement_line_stays" BEFORE DELETE ON "settlement_line"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('settlement_line_stays');
CREATE TRIGGER "settlement_line_verdict_is_final" BEFORE UPDATE ON "settlement_line"
  FOR EACH ROW WHEN (OLD.verdict <> 'missing_internal')
  EXECUTE FUNCTION "refuse_change"('settlement_line_verdict_is_final');
CREATE TRIGGER "settlement_line_content_is_fixed"
  BEFORE UPDATE OF provider, environment, digest, file_id, row, line_id, kind, reference, provider_reference, amount,
    currency, fee, settled_at
  ON "settlement_line" FOR EACH ROW
  WHEN ((OLD.provider, OLD.environment, OLD.digest, OLD.file_id, OLD.row, OLD.line_id, OLD.kind, OLD.reference,
         OLD.provider_reference, OLD.amount, OLD.currency, OLD.fee, OLD.settled_at)
    IS DISTINCT FROM
        (NEW.provider, NEW.environment, NEW.digest, NEW.file_id, NEW.row, NEW.line_id, NEW.kind, NEW.reference,
         NEW.provider_reference, NEW.amount, NEW.currency, NEW.fee, NEW.settled_at))
  EXECUTE FUNCTION "refuse_change"('settlement_line_content_is_fixed');

-- --------------------------------------------------------------------------------------------------------------------
-- The ledger: two more reasons, and a payout never brings back more than it took.
-- --------------------------------------------------------------------------------------------------------------------

ALTER TABLE "ledger_transaction"
  DROP CONSTRAINT "ledger_transaction_reason_known",
  ADD CONSTRAINT "ledger_transaction_reason_known" CHECK (
    reason IN ('funding', 'payment_credit', 'payout_hold', 'payout_release', 'payout_settlement', 'topup_credit',
               'late_money', 'amount_mismatch', 'bank_return', 'provider_fee'));

-- Two returns of one payout wait for each other at the wallet's balance, so the later one sees the earlier.
CREATE FUNCTION "require_return_within_payout"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM payout_intent p
    WHERE p.merchant_id = NEW.merchant_id AND p.id = NEW.intent_id AND p.status = 'succeeded'
      AND p.environment = NEW.environment AND p.amount >= (
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
-- At the end of the statement, when the entries are there.
CREATE TRIGGER "bank_return_within_payout" AFTER INSERT ON "ledger_transaction"
  FOR EACH ROW WHEN (NEW.reason = 'bank_return') EXECUTE FUNCTION "require_return_within_payout"();
