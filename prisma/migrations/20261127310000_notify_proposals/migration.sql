-- Members can be notified of refunds and top-up terms that others propose.
ALTER TABLE "notification_registration"
  DROP CONSTRAINT "notification_registration_types_known",
  ADD CONSTRAINT "notification_registration_types_known" CHECK (types IS NOT NULL AND types <> '{}' AND types <@ ARRAY[
    'approval_waiting', 'approval_lapsing', 'refund_proposed', 'exception_opened', 'endpoint_failing', 'policy_proposed',
    'topup_terms_proposed', 'security']);

ALTER TABLE "notification"
  DROP CONSTRAINT "notification_type_known",
  ADD CONSTRAINT "notification_type_known" CHECK (type IN (
    'approval_waiting', 'approval_lapsing', 'refund_proposed', 'exception_opened', 'endpoint_failing', 'policy_proposed',
    'topup_terms_proposed', 'security', 'test'));
