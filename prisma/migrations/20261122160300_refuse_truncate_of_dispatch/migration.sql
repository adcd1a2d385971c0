-- What is refused for every other table: emptying it at once, past the triggers of its rows.
CREATE TRIGGER "installation_is_not_truncated" BEFORE TRUNCATE ON "installation"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"('installation_is_not_truncated');
CREATE TRIGGER "dispatch_pause_is_not_truncated" BEFORE TRUNCATE ON "dispatch_pause"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"('dispatch_pause_is_not_truncated');
CREATE TRIGGER "payout_account_is_not_truncated" BEFORE TRUNCATE ON "payout_account"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"('payout_account_is_not_truncated');
