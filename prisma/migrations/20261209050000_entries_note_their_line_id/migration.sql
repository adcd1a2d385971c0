-- The confirmation of a journal entry also notes the provider's id of the line that it is about. A line that the provider corrects has
-- the same id, and is not booked again, also after the merchant of the entry has moved away from nobody's exception.
ALTER TABLE "journal_entry" ADD COLUMN "line_id" TEXT;

ALTER TABLE "journal_entry" DISABLE TRIGGER "journal_entry_decision_is_final";
UPDATE "journal_entry" j SET line_id = x.detail->>'line_id'
FROM "exception" x WHERE x.id = j.exception_id AND x.merchant_id IN (j.merchant_id, '') AND j.state = 'confirmed';
ALTER TABLE "journal_entry" ENABLE TRIGGER "journal_entry_decision_is_final";
