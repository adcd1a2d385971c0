-- Notifications of members and of the operator: where each of them goes, and the outbox of those to send.

-- CreateTable
CREATE TABLE "notification_registration" (
    "merchant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "member_id" TEXT,
    "channel" TEXT NOT NULL,
    "address" TEXT,
    "url_sealed" TEXT,
    "secret_sealed" TEXT,
    "types" TEXT[],
    "pace" TEXT NOT NULL,
    "time_zone" TEXT NOT NULL,
    "daily_at" INTEGER NOT NULL,
    "quiet_from" INTEGER,
    "quiet_until" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "notification_registration_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "notification" (
    "merchant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "registration_id" TEXT NOT NULL,
    "about_merchant_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "object_id" TEXT NOT NULL,
    "fact" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "due_at" TIMESTAMPTZ(3),
    "message_id" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "failure" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "notification_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateIndex
CREATE INDEX "notification_registration_merchant_id_member_id_environment_idx" ON "notification_registration"("merchant_id", "member_id", "environment");

-- CreateIndex
CREATE INDEX "notification_ended_at_idx" ON "notification"("ended_at");

-- CreateIndex
CREATE UNIQUE INDEX "notification_merchant_id_registration_id_type_fact_key" ON "notification"("merchant_id", "registration_id", "type", "fact");

-- --------------------------------------------------------------------------------------------------------------------
-- Guarantees.
-- --------------------------------------------------------------------------------------------------------------------

ALTER TABLE "notification_registration"
  ADD CONSTRAINT "notification_registration_member_fkey" FOREIGN KEY (merchant_id, member_id)
    REFERENCES "member" (merchant_id, id),
  ADD CONSTRAINT "notification_registration_id_prefix" CHECK (id LIKE 'nrg\_%'),
  ADD CONSTRAINT "notification_registration_environment_known" CHECK (environment IN ('test', 'live')),
  -- The operator's belong to no merchant.
  ADD CONSTRAINT "notification_registration_member_or_operator" CHECK ((merchant_id = '') = (member_id IS NULL)),
  ADD CONSTRAINT "notification_registration_channel_known" CHECK (channel IN ('mail', 'slack', 'webhook')),
  -- A member's mail goes to the address that the member signs in with.
  ADD CONSTRAINT "notification_registration_destination_given" CHECK (
    (channel = 'mail') = (url_sealed IS NULL) AND (channel = 'webhook') = (secret_sealed IS NOT NULL)
    AND (channel = 'mail' AND member_id IS NULL) = (address IS NOT NULL)),
  ADD CONSTRAINT "notification_registration_types_known" CHECK (types IS NOT NULL AND types <> '{}' AND types <@ ARRAY[
    'approval_waiting', 'approval_lapsing', 'exception_opened', 'endpoint_failing', 'policy_proposed', 'security']),
  ADD CONSTRAINT "notification_registration_pace_known" CHECK (pace IN ('immediate', 'hourly', 'daily')),
  ADD CONSTRAINT "notification_registration_time_zone_length" CHECK (length(time_zone) BETWEEN 1 AND 64),
  ADD CONSTRAINT "notification_registration_daily_at_is_minute" CHECK (daily_at BETWEEN 0 AND 1439),
  ADD CONSTRAINT "notification_registration_quiet_hours_are_minutes" CHECK (
    (quiet_from IS NULL AND quiet_until IS NULL) OR coalesce(
      quiet_from BETWEEN 0 AND 1439 AND quiet_until BETWEEN 0 AND 1439 AND quiet_from <> quiet_until, false));

ALTER TABLE "notification"
  ADD CONSTRAINT "notification_registration_fkey" FOREIGN KEY (merchant_id, registration_id)
    REFERENCES "notification_registration" (merchant_id, id) ON DELETE CASCADE,
  ADD CONSTRAINT "notification_id_prefix" CHECK (id LIKE 'ntf\_%'),
  ADD CONSTRAINT "notification_about_own_merchant" CHECK (merchant_id IN ('', about_merchant_id)),
  ADD CONSTRAINT "notification_type_known" CHECK (type IN (
    'approval_waiting', 'approval_lapsing', 'exception_opened', 'endpoint_failing', 'policy_proposed', 'security',
    'test')),
  ADD CONSTRAINT "notification_state_known" CHECK (state IN ('pending', 'sent', 'failed', 'skipped')),
  ADD CONSTRAINT "notification_pending_is_due" CHECK ((state = 'pending') = (due_at IS NOT NULL)),
  ADD CONSTRAINT "notification_ended_has_time" CHECK ((state = 'pending') = (ended_at IS NULL)),
  ADD CONSTRAINT "notification_attempts_count_up" CHECK (attempts >= 0),
  ADD CONSTRAINT "notification_attempt_has_message" CHECK ((attempts = 0) = (message_id IS NULL));

CREATE INDEX "notification_due" ON "notification" (due_at) WHERE state = 'pending';

-- The messages of a registration, newest first.
CREATE INDEX "notification_message" ON "notification" (merchant_id, registration_id, message_id DESC)
  WHERE message_id IS NOT NULL;

-- The endpoints that fail, of all merchants.
CREATE INDEX "webhook_endpoint_failing" ON "webhook_endpoint" (merchant_id, environment)
  WHERE deleted_at IS NULL AND (warned_hours > 0 OR state = 'disabled');

-- A registration keeps its destination. Its sealed values may be sealed under another key.
CREATE TRIGGER "notification_registration_destination_is_fixed" BEFORE UPDATE ON "notification_registration"
  FOR EACH ROW WHEN (
    (OLD.merchant_id, OLD.id, OLD.environment, OLD.member_id, OLD.channel, OLD.address, OLD.created_at)
    IS DISTINCT FROM
    (NEW.merchant_id, NEW.id, NEW.environment, NEW.member_id, NEW.channel, NEW.address, NEW.created_at))
  EXECUTE FUNCTION "refuse_change"('notification_registration_destination_is_fixed');

CREATE TRIGGER "notification_registration_is_not_truncated" BEFORE TRUNCATE ON "notification_registration"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"('notification_registration_is_not_truncated');

CREATE TRIGGER "notification_is_not_truncated" BEFORE TRUNCATE ON "notification"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"('notification_is_not_truncated');

-- What was sent, given up or skipped stays so.
CREATE TRIGGER "notification_end_is_final" BEFORE UPDATE ON "notification"
  FOR EACH ROW WHEN (OLD.state <> 'pending') EXECUTE FUNCTION "refuse_change"('notification_end_is_final');

ALTER TABLE "notification_registration" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "notification_registration_within_reach" ON "notification_registration" USING (within_reach(merchant_id));

ALTER TABLE "notification" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "notification_within_reach" ON "notification" USING (within_reach(merchant_id));
