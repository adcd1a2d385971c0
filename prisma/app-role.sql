-- The role that the service's statements run as. Row-level security binds it to the merchants of each statement, and it
-- cannot rewrite history: booked, decided, sent and audited rows can only be added. The migrations' triggers enforce the
-- latter for every role; this role cannot disable them.
-- The service runs this file after its migrations if its user may create roles. Otherwise run it as a user who may, and again
-- after migrations that add tables: psql "$OWNER_URL" -f prisma/app-role.sql
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'sluice_app') THEN
    CREATE ROLE sluice_app NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS;
  END IF;
  IF NOT pg_has_role('sluice_app', 'MEMBER') THEN
    GRANT sluice_app TO CURRENT_USER;
  END IF;
EXCEPTION
  -- A database beside this one has just done the same.
  WHEN duplicate_object OR unique_violation THEN NULL;
END
$$;
REVOKE ALL ON ALL TABLES IN SCHEMA public FROM sluice_app;
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO sluice_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO sluice_app;
-- History: insert and read only.
REVOKE UPDATE, DELETE ON "ledger_transaction", "ledger_entry", "event", "approval", "audit_entry", "audit_link",
  "settlement_file", "topup_total", "topup_callback", "hand_booked_line", "banked_line",
  "search_term" FROM sluice_app;
-- Inserted once, and deleted when old.
REVOKE UPDATE ON "member_identity", "idempotency_seal", "delivery_attempt", "api_log", "person_cell" FROM sluice_app;
-- Updated under their guards, never deleted.
REVOKE DELETE ON "installation", "payout_account", "dispatch_pause", "merchant", "merchant_brand", "member", "api_key", "payment_intent", "payout_intent", "topup_intent", "provider_attempt",
  "provider_callback", "callback_channel", "ledger_account", "audit_chain", "audit_check", "intent_figure", "figure_mark", "exception", "settlement_line",
  "approval_policy", "manual_resolution", "journal_entry", "topup_terms", "topup_policy_proposal", "sandbox_clock", "webhook_endpoint", "delivery",
  "payout_screening", "payout_recipient", "search_mark", "suspense_refund" FROM sluice_app;
-- Only the owner moves merchants to other cells.
REVOKE INSERT, UPDATE, DELETE ON "merchant_fence", "merchant_stay", "merchant_move" FROM sluice_app;
REVOKE ALL ON "merchant_move_change", "merchant_move_noting" FROM sluice_app;
-- Only the owner changes the schema.
REVOKE INSERT, UPDATE, DELETE ON "_prisma_migrations" FROM sluice_app;
-- Makes and drops partitions of the logs, which this role does not own.
GRANT EXECUTE ON FUNCTION "keep_log_partitions" TO sluice_app;
-- Opens merchants again whose move was killed.
GRANT EXECUTE ON FUNCTION "lift_abandoned_fences", "open_arrival" TO sluice_app;
-- Closes merchants that are open in two cells, notes those that are in none, and repairs where their names lead to.
GRANT EXECUTE ON FUNCTION "close_older_stay", "note_lost_merchant", "lead_to_later_stay" TO sluice_app;
-- Lets statements read fences that were loaded without triggers.
GRANT EXECUTE ON FUNCTION "read_stored_fences" TO sluice_app;
-- Removes triggers that a move has left behind.
GRANT EXECUTE ON FUNCTION "remove_ended_notes" TO sluice_app;
-- Tells whether a merchant has rows behind a fence.
GRANT EXECUTE ON FUNCTION "has_rows_of" TO sluice_app;
-- It reads pauses and suspensions of merchants behind a fence, too.
GRANT EXECUTE ON FUNCTION "dispatch_holds" TO sluice_app;
