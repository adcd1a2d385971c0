-- A callback whose merchant has moved to another cell is handed over to it (docs/decisions/0082). That is not the end of it: it is
-- due here again if the merchant comes back first. The rows have passed the narrower check, so none is read again.
ALTER TABLE "provider_callback"
  DROP CONSTRAINT "provider_callback_result_known",
  ADD CONSTRAINT "provider_callback_result_known" CHECK (
    result IN ('applied', 'ignored', 'handed_over', 'unreadable', 'unmatched', 'failing', 'unverified')) NOT VALID;
