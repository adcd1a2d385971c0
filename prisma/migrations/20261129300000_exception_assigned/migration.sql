-- Who made the owner of an exception its owner, and when: the owner is notified of what a colleague assigned.
ALTER TABLE "exception"
  ADD COLUMN "assigned_by" TEXT,
  ADD COLUMN "assigned_at" TIMESTAMPTZ(3);

-- Together or not at all, and only with an owner. Earlier owners, and those who resolved what nobody owned, have neither.
ALTER TABLE "exception"
  ADD CONSTRAINT "exception_assigned_whole" CHECK ((assigned_by IS NULL) = (assigned_at IS NULL)
    AND (assigned_by IS NULL OR owner_id IS NOT NULL)) NOT VALID;
ALTER TABLE "exception" VALIDATE CONSTRAINT "exception_assigned_whole";

ALTER TABLE "notification_registration"
  DROP CONSTRAINT "notification_registration_types_known",
  ADD CONSTRAINT "notification_registration_types_known" CHECK (types IS NOT NULL AND types <> '{}' AND types <@ ARRAY[
    'approval_waiting', 'approval_lapsing', 'refund_proposed', 'exception_opened', 'exception_assigned',
    'endpoint_failing', 'policy_proposed', 'topup_terms_proposed', 'security']);

ALTER TABLE "notification"
  DROP CONSTRAINT "notification_type_known",
  ADD CONSTRAINT "notification_type_known" CHECK (type IN (
    'approval_waiting', 'approval_lapsing', 'refund_proposed', 'exception_opened', 'exception_assigned',
    'endpoint_failing', 'policy_proposed', 'topup_terms_proposed', 'security', 'test'));
