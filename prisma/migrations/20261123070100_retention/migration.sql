-- The worker deletes old sessions and notices in batches, by time.

-- CreateIndex
CREATE INDEX "member_session_expires_at_idx" ON "member_session"("expires_at");

-- CreateIndex
CREATE INDEX "authority_notice_created_at_idx" ON "authority_notice"("created_at");
