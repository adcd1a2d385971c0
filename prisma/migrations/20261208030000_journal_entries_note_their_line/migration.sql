-- The confirmation of a journal entry notes the fact of the exception that it resolves, which names a line of a settlement file. An
-- import then leaves that line alone, also in another cell: an exception of nobody stays in its cell when the merchant of the entry
-- moves (docs/decisions/0082).
ALTER TABLE "journal_entry" ADD COLUMN "exception_fact" TEXT;

ALTER TABLE "journal_entry" DISABLE TRIGGER "journal_entry_decision_is_final";
UPDATE "journal_entry" j SET exception_fact = x.fact
FROM "exception" x WHERE x.id = j.exception_id AND x.merchant_id IN (j.merchant_id, '') AND j.state = 'confirmed';
ALTER TABLE "journal_entry" ENABLE TRIGGER "journal_entry_decision_is_final";
