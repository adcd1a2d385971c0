-- A line is a duplicate if others have settled all that moved in the books. What moves later may be its own, so a later import judges
-- it again (docs/reconciliation.md).
DROP TRIGGER "settlement_line_verdict_is_final" ON "settlement_line";
CREATE TRIGGER "settlement_line_verdict_is_final" BEFORE UPDATE ON "settlement_line"
  FOR EACH ROW WHEN (OLD.verdict NOT IN ('missing_internal', 'duplicate'))
  EXECUTE FUNCTION "refuse_change"('settlement_line_verdict_is_final');
