-- Notices of changes of authority: one per audit entry and member, inserted with the entry, mailed by the worker.

-- CreateTable
CREATE TABLE "authority_notice" (
    "merchant_id" TEXT NOT NULL,
    "entry_id" TEXT NOT NULL,
    "member_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "mailed_at" TIMESTAMPTZ(3),

    CONSTRAINT "authority_notice_pkey" PRIMARY KEY ("merchant_id","entry_id","member_id")
);

-- CreateIndex
CREATE INDEX "authority_notice_merchant_id_member_id_created_at_idx" ON "authority_notice"("merchant_id", "member_id", "created_at");

-- AddForeignKey
ALTER TABLE "authority_notice" ADD CONSTRAINT "authority_notice_merchant_id_member_id_fkey" FOREIGN KEY ("merchant_id", "member_id") REFERENCES "member"("merchant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- --------------------------------------------------------------------------------------------------------------------
-- Guarantees.
-- --------------------------------------------------------------------------------------------------------------------

ALTER TABLE "authority_notice"
  ADD CONSTRAINT "authority_notice_attempts_count_up" CHECK (attempts >= 0),
  ADD CONSTRAINT "authority_notice_mailed_is_done" CHECK (mailed_at IS NULL OR due_at IS NULL);

-- Only waiting notices are looked for.
CREATE INDEX "authority_notice_due" ON "authority_notice" (due_at) WHERE due_at IS NOT NULL;

CREATE TRIGGER "authority_notice_is_not_truncated" BEFORE TRUNCATE ON "authority_notice"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"('authority_notice_is_not_truncated');
