-- A proposal carries a keyed digest over its row, who made it and when. A confirmation is rejected where the digest does
-- not match: whoever has the database without the service's secrets can neither make nor edit a proposal. Open proposals
-- from before have none, or one without a key, and must be proposed again.
ALTER TABLE "journal_entry" ADD COLUMN "digest" TEXT;
ALTER TABLE "journal_entry"
  ADD CONSTRAINT "journal_entry_digest_form" CHECK (digest ~ '^[0-9a-f]{8}\.[0-9a-f]{64}$');

ALTER TABLE "manual_resolution"
  DROP CONSTRAINT "manual_resolution_digest_form",
  ADD CONSTRAINT "manual_resolution_digest_form" CHECK (digest ~ '^([0-9a-f]{8}\.)?[0-9a-f]{64}$');

DROP TRIGGER "journal_entry_content_is_fixed" ON "journal_entry";
CREATE TRIGGER "journal_entry_content_is_fixed" BEFORE UPDATE ON "journal_entry"
  FOR EACH ROW WHEN (
    (OLD.merchant_id, OLD.id, OLD.environment, OLD.from_account, OLD.to_account, OLD.currency, OLD.amount, OLD.provider,
     OLD.evidence, OLD.exception_id, OLD.digest, OLD.proposed_by_id, OLD.proposed_at)
    IS DISTINCT FROM
    (NEW.merchant_id, NEW.id, NEW.environment, NEW.from_account, NEW.to_account, NEW.currency, NEW.amount, NEW.provider,
     NEW.evidence, NEW.exception_id, NEW.digest, NEW.proposed_by_id, NEW.proposed_at))
  EXECUTE FUNCTION "refuse_change"('journal_entry_content_is_fixed');
