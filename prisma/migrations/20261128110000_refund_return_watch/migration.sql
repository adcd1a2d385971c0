-- A settled refund stays due for a while: its provider is asked whether the money came back.
ALTER TABLE "suspense_refund"
  DROP CONSTRAINT "suspense_refund_due_while_confirmed",
  ADD CONSTRAINT "suspense_refund_due_while_open" CHECK (
    (state <> 'confirmed' OR due_at IS NOT NULL) AND (due_at IS NULL OR state IN ('confirmed', 'settled')));

-- While a refund is confirmed or settled only its due time changes.
DROP TRIGGER "suspense_refund_moves_forward" ON "suspense_refund";
CREATE TRIGGER "suspense_refund_moves_forward" AFTER UPDATE ON "suspense_refund"
  FOR EACH ROW WHEN ((OLD.state, NEW.state) NOT IN (
    ('proposed', 'rejected'), ('proposed', 'confirmed'), ('confirmed', 'confirmed'), ('confirmed', 'settled'),
    ('confirmed', 'failed'), ('settled', 'settled'), ('settled', 'returned')))
  EXECUTE FUNCTION "refuse_change"('suspense_refund_moves_forward');
CREATE TRIGGER "suspense_refund_end_is_fixed" BEFORE UPDATE ON "suspense_refund"
  FOR EACH ROW WHEN (OLD.state = NEW.state AND OLD.ended_at IS DISTINCT FROM NEW.ended_at)
  EXECUTE FUNCTION "refuse_change"('suspense_refund_end_is_fixed');
