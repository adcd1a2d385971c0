-- One-time codes of members (RFC 6238): a sealed secret each, and what a merchant asks a code for.

-- AlterTable
ALTER TABLE "merchant" ADD COLUMN     "totp_required_for" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateTable
CREATE TABLE "member_totp" (
    "merchant_id" TEXT NOT NULL,
    "member_id" TEXT NOT NULL,
    "secret_sealed" TEXT NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),
    "last_step" BIGINT NOT NULL DEFAULT 0,
    "recovery_hashes" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "member_totp_pkey" PRIMARY KEY ("merchant_id","member_id")
);

-- AddForeignKey
ALTER TABLE "member_totp" ADD CONSTRAINT "member_totp_merchant_id_member_id_fkey" FOREIGN KEY ("merchant_id", "member_id") REFERENCES "member"("merchant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- --------------------------------------------------------------------------------------------------------------------
-- Guarantees.
-- --------------------------------------------------------------------------------------------------------------------

ALTER TABLE "merchant"
  ADD CONSTRAINT "merchant_totp_required_for_known"
    CHECK (totp_required_for IS NOT NULL AND totp_required_for <@ ARRAY['approve', 'key_roll']);

ALTER TABLE "member_totp"
  ADD CONSTRAINT "member_totp_recovery_hashes_given" CHECK (recovery_hashes IS NOT NULL);

-- A code that was used stays used: the step of the last one only grows.
CREATE TRIGGER "member_totp_step_moves_forward" BEFORE UPDATE ON "member_totp"
  FOR EACH ROW WHEN (NEW.last_step < OLD.last_step AND NEW.secret_sealed = OLD.secret_sealed)
  EXECUTE FUNCTION "refuse_change"('member_totp_step_moves_forward');
