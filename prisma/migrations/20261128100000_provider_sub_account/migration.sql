-- The merchant's account under the account that a call used. Null: that account itself.
ALTER TABLE "provider_attempt" ADD COLUMN IF NOT EXISTS "provider_sub_account" TEXT;

-- No older row has one, so there is nothing to validate.
ALTER TABLE "provider_attempt"
  ADD CONSTRAINT "provider_attempt_sub_account_length" CHECK (length(provider_sub_account) BETWEEN 1 AND 255) NOT VALID,
  ADD CONSTRAINT "provider_attempt_sub_account_of_account"
    CHECK (provider_sub_account IS NULL OR provider_account IS NOT NULL) NOT VALID;
