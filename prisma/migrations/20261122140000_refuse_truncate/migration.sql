-- TRUNCATE fires no row trigger, so it would pass every rule that refuses a DELETE. No table here is ever emptied as a
-- whole: history, keys, queues and the state they refer to are removed row by row, under their own rules, or not at all.
DO $$
DECLARE
  protected text;
BEGIN
  FOREACH protected IN ARRAY ARRAY[
    'merchant', 'merchant_currency', 'api_key', 'member', 'member_session', 'member_totp', 'member_setting', 'saved_view',
    'payment_intent', 'payout_intent', 'topup_intent', 'provider_attempt', 'provider_callback', 'approval',
    'approval_policy', 'topup_terms', 'sandbox_clock', 'idempotency_key', 'idempotency_seal', 'event', 'ledger_account',
    'ledger_transaction', 'ledger_entry', 'audit_entry', 'audit_pending', 'audit_chain', 'audit_link', 'exception',
    'settlement_file', 'settlement_line', 'webhook_endpoint', 'delivery', 'delivery_attempt', 'api_log',
    'intent_figure', 'figure_mark'
  ] LOOP
    EXECUTE format(
      'CREATE TRIGGER %1$I BEFORE TRUNCATE ON %2$I FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"(%1$L)',
      protected || '_is_not_truncated', protected);
  END LOOP;
END
$$;
