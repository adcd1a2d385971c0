-- Callbacks that cannot be applied are retried, and open an exception when retrying has not helped.

-- Earlier releases finished them without an exception. They are tried again.
UPDATE "provider_callback" SET applied_at = NULL, result = NULL, attempts = 0, due_at = now()
WHERE result IN ('unreadable', 'unmatched');

ALTER TABLE "provider_callback"
  ADD CONSTRAINT "provider_callback_result_known" CHECK (
    result IN ('applied', 'ignored', 'unreadable', 'unmatched', 'failing'));

-- CreateIndex
CREATE INDEX "provider_callback_received_at_provider_callback_id_idx" ON "provider_callback"("received_at" DESC, "provider", "callback_id");

-- Unapplied callbacks are few among all.
CREATE INDEX "provider_callback_unapplied" ON "provider_callback" (received_at DESC, provider, callback_id)
  WHERE result IN ('unreadable', 'unmatched', 'failing');
