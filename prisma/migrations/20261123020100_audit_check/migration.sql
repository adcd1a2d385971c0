-- The latest result of `audit verify` per merchant, for the dashboard. It is for display only: the next verification does
-- not read it.

-- CreateTable
CREATE TABLE "audit_check" (
    "merchant_id" TEXT NOT NULL,
    "last_sequence" BIGINT NOT NULL,
    "fault_count" INTEGER NOT NULL,
    "checked_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "audit_check_pkey" PRIMARY KEY ("merchant_id")
);

-- --------------------------------------------------------------------------------------------------------------------
-- Guarantees.
-- --------------------------------------------------------------------------------------------------------------------

ALTER TABLE "audit_check"
  ADD CONSTRAINT "audit_check_sequence_counts_up" CHECK (last_sequence >= 0),
  ADD CONSTRAINT "audit_check_faults_count_up" CHECK (fault_count >= 0);

CREATE TRIGGER "audit_check_is_not_truncated" BEFORE TRUNCATE ON "audit_check"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"('audit_check_is_not_truncated');
CREATE TRIGGER "audit_check_moves_forward" BEFORE UPDATE ON "audit_check"
  FOR EACH ROW WHEN (NEW.merchant_id <> OLD.merchant_id OR NEW.checked_at < OLD.checked_at)
  EXECUTE FUNCTION "refuse_change"('audit_check_moves_forward');
CREATE TRIGGER "audit_check_stays" BEFORE DELETE ON "audit_check"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('audit_check_stays');
