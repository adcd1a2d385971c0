-- What a merchant's top-ups convert at and what becomes of a payment that is not as quoted, per environment; each top-up
-- keeps the policies it was made under. Money in suspense gets its way out: what was done with it is on its exception.

-- CreateTable
CREATE TABLE "topup_terms" (
    "merchant_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "spread_basis_points" INTEGER NOT NULL DEFAULT 50,
    "fee_mode" TEXT NOT NULL DEFAULT 'absorbed',
    "overpayment" TEXT NOT NULL DEFAULT 'credit_actual',
    "underpayment" TEXT NOT NULL DEFAULT 'credit_actual',
    "late_payment" TEXT NOT NULL DEFAULT 'hold',

    CONSTRAINT "topup_terms_pkey" PRIMARY KEY ("merchant_id","environment")
);

INSERT INTO "topup_terms" (merchant_id, environment, spread_basis_points, fee_mode)
SELECT id, environment, spread_basis_points, fee_mode FROM "merchant", (VALUES ('test'), ('live')) AS e(environment);

-- AlterTable
ALTER TABLE "merchant" DROP COLUMN "spread_basis_points", DROP COLUMN "fee_mode";

-- AlterTable: what exists was made when the policies were these.
ALTER TABLE "topup_intent"
  ADD COLUMN "overpayment" TEXT NOT NULL DEFAULT 'credit_actual',
  ADD COLUMN "underpayment" TEXT NOT NULL DEFAULT 'credit_actual',
  ADD COLUMN "late_payment" TEXT NOT NULL DEFAULT 'hold';
ALTER TABLE "topup_intent"
  ALTER COLUMN "overpayment" DROP DEFAULT,
  ALTER COLUMN "underpayment" DROP DEFAULT,
  ALTER COLUMN "late_payment" DROP DEFAULT;

-- AlterTable
ALTER TABLE "exception" ADD COLUMN "settled_as" TEXT;

-- AddForeignKey
ALTER TABLE "topup_terms" ADD CONSTRAINT "topup_terms_merchant_id_fkey" FOREIGN KEY ("merchant_id")
  REFERENCES "merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- --------------------------------------------------------------------------------------------------------------------
-- Guarantees.
-- --------------------------------------------------------------------------------------------------------------------

ALTER TABLE "topup_terms"
  ADD CONSTRAINT "topup_terms_environment_known" CHECK (environment IN ('test', 'live')),
  ADD CONSTRAINT "topup_terms_spread_in_range" CHECK (spread_basis_points BETWEEN 0 AND 10000),
  ADD CONSTRAINT "topup_terms_fee_mode_known" CHECK (fee_mode IN ('absorbed', 'added', 'deducted')),
  ADD CONSTRAINT "topup_terms_overpayment_known" CHECK (overpayment IN ('credit_actual', 'hold', 'refund')),
  ADD CONSTRAINT "topup_terms_underpayment_known" CHECK (underpayment IN ('credit_actual', 'hold', 'refund')),
  ADD CONSTRAINT "topup_terms_late_payment_known" CHECK (late_payment IN ('credit_actual', 'hold', 'refund'));

ALTER TABLE "topup_intent"
  ADD CONSTRAINT "topup_intent_overpayment_known" CHECK (overpayment IN ('credit_actual', 'hold', 'refund')),
  ADD CONSTRAINT "topup_intent_underpayment_known" CHECK (underpayment IN ('credit_actual', 'hold', 'refund')),
  ADD CONSTRAINT "topup_intent_late_payment_known" CHECK (late_payment IN ('credit_actual', 'hold', 'refund'));

-- A top-up keeps the policies it was made under, as it keeps its quote.
DROP TRIGGER "topup_intent_identity_is_fixed" ON "topup_intent";
CREATE TRIGGER "topup_intent_identity_is_fixed"
  BEFORE UPDATE OF merchant_id, id, environment, country, merchant_reference, destination_amount, destination_currency,
    rate, spread_amount, source_type, source_amount, source_currency, fee_amount, fee_mode, overpayment, underpayment,
    late_payment, created_at
  ON "topup_intent" FOR EACH ROW
  WHEN ((OLD.merchant_id, OLD.id, OLD.environment, OLD.country, OLD.merchant_reference, OLD.destination_amount,
         OLD.destination_currency, OLD.rate, OLD.spread_amount, OLD.source_type, OLD.source_amount, OLD.source_currency,
         OLD.fee_amount, OLD.fee_mode, OLD.overpayment, OLD.underpayment, OLD.late_payment, OLD.created_at)
    IS DISTINCT FROM
        (NEW.merchant_id, NEW.id, NEW.environment, NEW.country, NEW.merchant_reference, NEW.destination_amount,
         NEW.destination_currency, NEW.rate, NEW.spread_amount, NEW.source_type, NEW.source_amount, NEW.source_currency,
         NEW.fee_amount, NEW.fee_mode, NEW.overpayment, NEW.underpayment, NEW.late_payment, NEW.created_at))
  EXECUTE FUNCTION "refuse_change"('topup_intent_identity_is_fixed');

-- Money that leaves suspense takes its exception with it: settled means resolved.
ALTER TABLE "exception"
  DROP CONSTRAINT "exception_kind_known",
  ADD CONSTRAINT "exception_kind_known" CHECK (
    kind IN ('late_money', 'amount_mismatch', 'bank_return', 'funds_dropped', 'stuck', 'missing_internal',
             'missing_external', 'duplicate', 'unassigned_fee')),
  ADD CONSTRAINT "exception_settled_as_known" CHECK (
    settled_as IN ('credit', 'refund', 'recover', 'absorb', 'restore')),
  ADD CONSTRAINT "exception_settled_is_resolved" CHECK (settled_as IS NULL OR resolved_at IS NOT NULL);

ALTER TABLE "ledger_transaction"
  DROP CONSTRAINT "ledger_transaction_reason_known",
  ADD CONSTRAINT "ledger_transaction_reason_known" CHECK (
    reason IN ('funding', 'payment_credit', 'payout_hold', 'payout_release', 'payout_settlement', 'topup_credit',
               'late_money', 'amount_mismatch', 'bank_return', 'provider_fee', 'funds_dropped', 'suspense_settlement'));
