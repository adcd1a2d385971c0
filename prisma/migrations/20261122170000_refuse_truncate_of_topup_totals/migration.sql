CREATE TRIGGER "topup_total_is_not_truncated" BEFORE TRUNCATE ON "topup_total"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"('topup_total_is_not_truncated');
