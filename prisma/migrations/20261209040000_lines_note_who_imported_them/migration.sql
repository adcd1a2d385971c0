-- Whether the operator's import has had a line, or only members have uploaded it: the ids of lines in their files bind only them.
ALTER TABLE "settlement_line" ADD COLUMN "is_imported" BOOLEAN NOT NULL DEFAULT true;

DROP TRIGGER "settlement_line_verdict_is_final" ON "settlement_line";
UPDATE "settlement_line" l SET is_imported = false
FROM "settlement_file" f
WHERE f.provider = l.provider AND f.id = l.file_id AND f.uploaded_for IS NOT NULL
  AND NOT EXISTS (SELECT FROM ledger_transaction t WHERE t.merchant_id = l.merchant_id AND t.environment = l.environment
                    AND t.unique_key IN ('provider_fee:' || l.provider || ':' || l.digest,
                                         'provider_settlement:' || l.provider || ':' || l.digest));
CREATE TRIGGER "settlement_line_verdict_is_final" BEFORE UPDATE ON "settlement_line"
  FOR EACH ROW WHEN (
    OLD.verdict NOT IN ('missing_internal', 'duplicate')
    AND (OLD.verdict, OLD.why, OLD.merchant_id, OLD.transaction_id)
      IS DISTINCT FROM (NEW.verdict, NEW.why, NEW.merchant_id, NEW.transaction_id))
  EXECUTE FUNCTION "refuse_change"('settlement_line_verdict_is_final');
CREATE TRIGGER "settlement_line_stays_imported" BEFORE UPDATE ON "settlement_line"
  FOR EACH ROW WHEN (OLD.is_imported AND NOT NEW.is_imported)
  EXECUTE FUNCTION "refuse_change"('settlement_line_stays_imported');
