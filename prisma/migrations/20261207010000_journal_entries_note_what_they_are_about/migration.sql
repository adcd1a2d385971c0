-- A journal entry notes what it is about: an exception of nobody stays in its cell when the merchant of the entry moves to
-- another one (docs/decisions/0082), and a report about an intent must find what was booked by hand for it.
-- It also notes whether its money is further money: else it is refused if the books have the same sum of the intent.
ALTER TABLE "journal_entry"
  ADD COLUMN "object_id" TEXT,
  ADD COLUMN "is_additional" BOOLEAN NOT NULL DEFAULT false;

ALTER TABLE "journal_entry" DISABLE TRIGGER "journal_entry_decision_is_final";
UPDATE "journal_entry" j SET object_id = x.object_id
FROM "exception" x WHERE x.id = j.exception_id AND x.merchant_id IN (j.merchant_id, '');
ALTER TABLE "journal_entry" ENABLE TRIGGER "journal_entry_decision_is_final";

CREATE INDEX "journal_entry_merchant_id_object_id_idx" ON "journal_entry"("merchant_id", "object_id");

DROP TRIGGER "journal_entry_content_is_fixed" ON "journal_entry";
CREATE TRIGGER "journal_entry_content_is_fixed" BEFORE UPDATE ON "journal_entry"
  FOR EACH ROW WHEN (
    (OLD.merchant_id, OLD.id, OLD.environment, OLD.from_account, OLD.to_account, OLD.currency, OLD.amount, OLD.provider,
     OLD.evidence, OLD.exception_id, OLD.object_id, OLD.is_additional,
     OLD.digest, OLD.proposed_by_id, OLD.proposed_at)
    IS DISTINCT FROM
    (NEW.merchant_id, NEW.id, NEW.environment, NEW.from_account, NEW.to_account, NEW.currency, NEW.amount, NEW.provider,
     NEW.evidence, NEW.exception_id, NEW.object_id, NEW.is_additional,
     NEW.digest, NEW.proposed_by_id, NEW.proposed_at))
  EXECUTE FUNCTION "refuse_change"('journal_entry_content_is_fixed');
