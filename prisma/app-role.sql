-- A role for the running service that cannot rewrite history: what is booked, decided, told or audited is only ever added.
-- The triggers of the migrations refuse the same to everybody; a role takes it out of the application's hands.
-- Run as the owner of the database, after migrations that add tables once more:
--   psql "$OWNER_URL" -f prisma/app-role.sql   then   ALTER ROLE sluice_app LOGIN PASSWORD '…'
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'sluice_app') THEN
    CREATE ROLE sluice_app NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE;
  END IF;
END
$$;
REVOKE ALL ON ALL TABLES IN SCHEMA public FROM sluice_app;
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO sluice_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO sluice_app;
-- History: added to and read.
REVOKE UPDATE, DELETE ON "ledger_transaction", "ledger_entry", "event", "approval", "audit_entry", "audit_link",
  "settlement_file", "topup_total" FROM sluice_app;
-- Written once, and forgotten when old.
REVOKE UPDATE ON "idempotency_seal", "delivery_attempt", "api_log" FROM sluice_app;
-- Changed under their guards, never removed.
REVOKE DELETE ON "installation", "payout_account", "dispatch_pause", "merchant", "member", "api_key", "payment_intent", "payout_intent", "topup_intent", "provider_attempt",
  "provider_callback", "ledger_account", "audit_chain", "intent_figure", "figure_mark", "exception", "settlement_line",
  "approval_policy", "manual_resolution", "journal_entry", "topup_terms", "sandbox_clock", "webhook_endpoint", "delivery" FROM sluice_app;
-- The shape of the database is its owner's.
REVOKE INSERT, UPDATE, DELETE ON "_prisma_migrations" FROM sluice_app;
