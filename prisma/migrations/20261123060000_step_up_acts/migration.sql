-- More acts for which a merchant can require a one-time code in the test environment; live always requires one, or the password.
ALTER TABLE "merchant"
  DROP CONSTRAINT "merchant_totp_required_for_known",
  ADD CONSTRAINT "merchant_totp_required_for_known" CHECK (totp_required_for IS NOT NULL AND totp_required_for <@ ARRAY[
    'approve', 'create_payout', 'key_create', 'key_roll', 'members', 'policies', 'settle', 'webhooks']);
