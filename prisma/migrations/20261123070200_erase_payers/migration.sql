-- The payer's details of an ended payment may be erased. Nothing else in the row changes, and audit verify requires an
-- audit entry of the erasure. A trigger that names NEW cannot guard DELETE, so the rule has two.
CREATE OR REPLACE TRIGGER "payment_intent_terminal_is_final" BEFORE UPDATE ON "payment_intent"
  FOR EACH ROW WHEN (OLD.status IN ('succeeded', 'failed', 'expired') AND NOT (
    OLD.customer IS NOT NULL AND NEW.customer IS NULL
    AND to_jsonb(OLD) - 'customer' = to_jsonb(NEW) - 'customer'))
  EXECUTE FUNCTION "refuse_change"('payment_intent_terminal_is_final');
CREATE TRIGGER "payment_intent_terminal_stays" BEFORE DELETE ON "payment_intent"
  FOR EACH ROW WHEN (OLD.status IN ('succeeded', 'failed', 'expired'))
  EXECUTE FUNCTION "refuse_change"('payment_intent_terminal_is_final');
