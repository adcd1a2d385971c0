-- One-time links, by which invited members and members whose password was reset choose a password.

-- AlterTable: an invited member has no password yet, and a reset removes it.
ALTER TABLE "member" ALTER COLUMN "password_hash" DROP NOT NULL;

-- CreateTable
CREATE TABLE "one_time_link" (
    "merchant_id" TEXT NOT NULL,
    "member_id" TEXT NOT NULL,
    "purpose" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "created_by_type" TEXT NOT NULL,
    "created_by_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "one_time_link_pkey" PRIMARY KEY ("merchant_id","member_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "one_time_link_token_hash_key" ON "one_time_link"("token_hash");

-- AddForeignKey
ALTER TABLE "one_time_link" ADD CONSTRAINT "one_time_link_merchant_id_member_id_fkey" FOREIGN KEY ("merchant_id", "member_id") REFERENCES "member"("merchant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- --------------------------------------------------------------------------------------------------------------------
-- Guarantees.
-- --------------------------------------------------------------------------------------------------------------------

ALTER TABLE "one_time_link"
  ADD CONSTRAINT "one_time_link_purpose_known" CHECK (purpose IN ('invite', 'reset')),
  ADD CONSTRAINT "one_time_link_token_hash_form" CHECK (token_hash ~ '^[0-9a-f]{64}$'),
  ADD CONSTRAINT "one_time_link_created_by_type_known" CHECK (created_by_type IN ('member', 'operator')),
  ADD CONSTRAINT "one_time_link_lasts_a_day"
    CHECK (expires_at > created_at AND expires_at <= created_at + interval '24 hours'),
  ADD CONSTRAINT "one_time_link_used_in_time" CHECK (used_at < expires_at);

-- A link changes once: it is used. A new link replaces the row.
CREATE TRIGGER "one_time_link_is_used_once" BEFORE UPDATE ON "one_time_link"
  FOR EACH ROW WHEN (OLD.used_at IS NOT NULL OR NEW.token_hash <> OLD.token_hash OR NEW.expires_at <> OLD.expires_at
                     OR NEW.member_id <> OLD.member_id OR NEW.merchant_id <> OLD.merchant_id)
  EXECUTE FUNCTION "refuse_change"('one_time_link_is_used_once');

CREATE TRIGGER "one_time_link_is_not_truncated" BEFORE TRUNCATE ON "one_time_link"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"('one_time_link_is_not_truncated');
