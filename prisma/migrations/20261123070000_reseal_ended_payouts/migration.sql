-- The sealed account number of an ended payout may move to another of the operator's keys, which the text names. Nothing
-- else in the row changes. A trigger that names NEW cannot guard DELETE, so the rule has two.
CREATE OR REPLACE TRIGGER "payout_intent_terminal_is_final" BEFORE UPDATE ON "payout_intent"
  FOR EACH ROW WHEN (OLD.status IN ('succeeded', 'failed', 'cancelled') AND NOT (
    split_part(OLD.account_sealed, '.', 1) <> split_part(NEW.account_sealed, '.', 1)
    AND to_jsonb(OLD) - 'account_sealed' = to_jsonb(NEW) - 'account_sealed'))
  EXECUTE FUNCTION "refuse_change"('payout_intent_terminal_is_final');
CREATE TRIGGER "payout_intent_terminal_stays" BEFORE DELETE ON "payout_intent"
  FOR EACH ROW WHEN (OLD.status IN ('succeeded', 'failed', 'cancelled'))
  EXECUTE FUNCTION "refuse_change"('payout_intent_terminal_is_final');
