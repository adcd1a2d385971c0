-- A version of an approval policy begins as a proposal: only a merchant's first one, which comes with the merchant, is in
-- effect at once. Until now a version could be inserted as the active one.
CREATE TRIGGER "approval_policy_begins_proposed" BEFORE INSERT ON "approval_policy"
  FOR EACH ROW WHEN (NEW.state <> 'proposed' AND NEW.version <> 1)
  EXECUTE FUNCTION "refuse_change"('approval_policy_begins_proposed');
