-- Callbacks carry a keyed digest from their receipt on. A row without one was stored by an older release, or was inserted
-- past the service: only an operator applies it.
ALTER TABLE "provider_callback" ADD COLUMN "digest" TEXT;

ALTER TABLE "provider_callback"
  DROP CONSTRAINT "provider_callback_result_known",
  ADD CONSTRAINT "provider_callback_result_known" CHECK (
    result IN ('applied', 'ignored', 'unreadable', 'unmatched', 'failing', 'unverified'));

DROP INDEX "provider_callback_unapplied";
CREATE INDEX "provider_callback_unapplied" ON "provider_callback" (received_at DESC, provider, callback_id)
  WHERE result IN ('unreadable', 'unmatched', 'failing', 'unverified');
