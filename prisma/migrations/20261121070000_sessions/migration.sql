-- Sessions of members: a row per sign-in, looked at by every page and procedure, so that ending one counts at once.

-- CreateTable
CREATE TABLE "member_session" (
    "merchant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "member_id" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "member_session_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateIndex
CREATE INDEX "member_session_merchant_id_member_id_idx" ON "member_session"("merchant_id", "member_id");

-- AddForeignKey
ALTER TABLE "member_session" ADD CONSTRAINT "member_session_merchant_id_member_id_fkey" FOREIGN KEY ("merchant_id", "member_id") REFERENCES "member"("merchant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- --------------------------------------------------------------------------------------------------------------------
-- Guarantees.
-- --------------------------------------------------------------------------------------------------------------------

ALTER TABLE "member_session"
  ADD CONSTRAINT "member_session_ends_after_it_begins" CHECK (expires_at > created_at);

-- A session that has ended stays ended.
CREATE TRIGGER "member_session_end_is_final" BEFORE UPDATE ON "member_session"
  FOR EACH ROW WHEN (OLD.revoked_at IS NOT NULL)
  EXECUTE FUNCTION "refuse_change"('member_session_end_is_final');
