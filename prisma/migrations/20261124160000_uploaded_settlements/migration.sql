-- Settlement files that members upload, which concern their merchant only. The operator's concern every merchant.

-- AlterTable
ALTER TABLE "settlement_file" ADD COLUMN IF NOT EXISTS "uploaded_by" TEXT,
ADD COLUMN IF NOT EXISTS "uploaded_for" TEXT;

-- Both or neither.
ALTER TABLE "settlement_file"
  ADD CONSTRAINT "settlement_file_uploader_fkey" FOREIGN KEY (uploaded_for, uploaded_by)
    REFERENCES "member" (merchant_id, id) MATCH FULL;

-- It finds what was settled in a month.
CREATE INDEX IF NOT EXISTS "settlement_line_merchant_id_environment_settled_at_idx"
  ON "settlement_line"("merchant_id", "environment", "settled_at");
