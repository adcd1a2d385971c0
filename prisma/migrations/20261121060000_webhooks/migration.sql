-- Webhooks: endpoints, deliveries of events to them, and what became of each attempt.

-- What an event says, to the byte, is kept with it. Events that exist get theirs here, once.
ALTER TABLE "event" ADD COLUMN "body" TEXT;
ALTER TABLE "event" DISABLE TRIGGER "event_is_append_only";
UPDATE "event" SET "body" = json_build_object(
  'id', id, 'type', type,
  'timestamp', to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'environment', environment, 'api_version', '2026-11-01',
  'data', json_build_object(split_part(type, '.', 1) || '_id', intent_id, 'status', status,
                            'failure_code', failure_code, 'failure_message', failure_message))::text;
ALTER TABLE "event" ENABLE TRIGGER "event_is_append_only";
ALTER TABLE "event" ALTER COLUMN "body" SET NOT NULL;

-- CreateTable
CREATE TABLE "webhook_endpoint" (
    "merchant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "slot" INTEGER NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "event_types" TEXT[],
    "state" TEXT NOT NULL,
    "disabled_reason" TEXT,
    "disabled_at" TIMESTAMPTZ(3),
    "secret_sealed" TEXT NOT NULL,
    "previous_secret_sealed" TEXT,
    "previous_secret_until" TIMESTAMPTZ(3),
    "subscribed_at" TIMESTAMPTZ(3) NOT NULL,
    "failing_since" TIMESTAMPTZ(3),
    "warned_hours" INTEGER NOT NULL DEFAULT 0,
    "held_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_endpoint_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "delivery" (
    "merchant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "endpoint_id" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "step" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3),
    "in_flight" BOOLEAN NOT NULL DEFAULT false,
    "claims" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "delivery_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "delivery_attempt" (
    "merchant_id" TEXT NOT NULL,
    "delivery_id" TEXT NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "status" INTEGER,
    "duration_ms" INTEGER NOT NULL,
    "request_headers" JSONB NOT NULL,
    "response_body" TEXT NOT NULL,
    "error" TEXT,
    "detail" TEXT,
    "attempted_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "delivery_attempt_pkey" PRIMARY KEY ("merchant_id","delivery_id","ordinal")
);

-- CreateIndex
CREATE INDEX "event_merchant_id_environment_created_at_id_idx" ON "event"("merchant_id", "environment", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "webhook_endpoint_merchant_id_environment_created_at_id_idx" ON "webhook_endpoint"("merchant_id", "environment", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "delivery_merchant_id_event_id_endpoint_id_key" ON "delivery"("merchant_id", "event_id", "endpoint_id");

-- CreateIndex
CREATE INDEX "delivery_merchant_id_endpoint_id_created_at_id_idx" ON "delivery"("merchant_id", "endpoint_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "delivery_attempt_attempted_at_idx" ON "delivery_attempt"("attempted_at");

-- --------------------------------------------------------------------------------------------------------------------
-- Guarantees.
-- --------------------------------------------------------------------------------------------------------------------

-- Ten at most: each that exists holds one of ten places.
CREATE UNIQUE INDEX "webhook_endpoint_slot_key" ON "webhook_endpoint" (merchant_id, environment, slot)
  WHERE deleted_at IS NULL;

ALTER TABLE "webhook_endpoint"
  ADD CONSTRAINT "webhook_endpoint_id_prefix" CHECK (starts_with(id, 'we_')),
  ADD CONSTRAINT "webhook_endpoint_environment_known" CHECK (environment IN ('test', 'live')),
  ADD CONSTRAINT "webhook_endpoint_slot_in_range" CHECK (slot BETWEEN 1 AND 10),
  ADD CONSTRAINT "webhook_endpoint_url_length" CHECK (char_length(url) BETWEEN 1 AND 2048),
  ADD CONSTRAINT "webhook_endpoint_description_length" CHECK (char_length(description) <= 255),
  ADD CONSTRAINT "webhook_endpoint_event_types_known" CHECK (
    event_types <@ ARRAY['payment_intent.succeeded', 'payment_intent.failed', 'payment_intent.expired',
                         'payout_intent.succeeded', 'payout_intent.failed', 'payout_intent.cancelled']
    AND cardinality(event_types) > 0),
  ADD CONSTRAINT "webhook_endpoint_state_known" CHECK (state IN ('enabled', 'paused', 'disabled')),
  ADD CONSTRAINT "webhook_endpoint_disabled_reason_known" CHECK (disabled_reason IN ('gone', 'failing')),
  ADD CONSTRAINT "webhook_endpoint_disabled_whole" CHECK (
    (state = 'disabled') = (disabled_reason IS NOT NULL) AND (state = 'disabled') = (disabled_at IS NOT NULL)),
  ADD CONSTRAINT "webhook_endpoint_previous_secret_whole" CHECK (
    (previous_secret_sealed IS NULL) = (previous_secret_until IS NULL)),
  ADD CONSTRAINT "webhook_endpoint_warning_known" CHECK (warned_hours IN (0, 1, 24, 96)),
  ADD CONSTRAINT "webhook_endpoint_time_runs_forward" CHECK (
    updated_at >= created_at AND (deleted_at IS NULL OR deleted_at >= created_at)),
  ADD CONSTRAINT "webhook_endpoint_merchant_fkey" FOREIGN KEY (merchant_id) REFERENCES "merchant" (id);

ALTER TABLE "delivery"
  ADD CONSTRAINT "delivery_id_prefix" CHECK (starts_with(id, 'dlv_')),
  ADD CONSTRAINT "delivery_environment_known" CHECK (environment IN ('test', 'live')),
  ADD CONSTRAINT "delivery_state_known" CHECK (state IN ('pending', 'delivered', 'failed', 'skipped')),
  ADD CONSTRAINT "delivery_attempts_count_up" CHECK (attempts >= step AND step >= 0 AND claims >= 0),
  ADD CONSTRAINT "delivery_due_until_ended" CHECK (
    (state = 'pending') = (due_at IS NOT NULL) AND (state = 'pending') = (ended_at IS NULL)),
  ADD CONSTRAINT "delivery_in_flight_while_pending" CHECK (NOT in_flight OR state = 'pending'),
  ADD CONSTRAINT "delivery_ends_by_an_attempt" CHECK (attempts > 0 OR state IN ('pending', 'skipped')),
  ADD CONSTRAINT "delivery_endpoint_fkey" FOREIGN KEY (merchant_id, endpoint_id)
    REFERENCES "webhook_endpoint" (merchant_id, id),
  ADD CONSTRAINT "delivery_event_fkey" FOREIGN KEY (merchant_id, event_id) REFERENCES "event" (merchant_id, id);

ALTER TABLE "delivery_attempt"
  ADD CONSTRAINT "delivery_attempt_ordinal_positive" CHECK (ordinal > 0),
  ADD CONSTRAINT "delivery_attempt_status_in_range" CHECK (status BETWEEN 100 AND 999),
  ADD CONSTRAINT "delivery_attempt_duration_not_negative" CHECK (duration_ms >= 0),
  ADD CONSTRAINT "delivery_attempt_headers_object" CHECK (jsonb_typeof(request_headers) = 'object'),
  ADD CONSTRAINT "delivery_attempt_answer_or_error" CHECK (status IS NOT NULL OR error IS NOT NULL),
  ADD CONSTRAINT "delivery_attempt_delivery_fkey" FOREIGN KEY (merchant_id, delivery_id)
    REFERENCES "delivery" (merchant_id, id);

-- What waits, by whom it is for: a claim takes a few of each endpoint, whatever any one of them has waiting.
CREATE INDEX "delivery_due" ON "delivery" (merchant_id, endpoint_id, due_at) WHERE state = 'pending';

-- Rows of a busy queue change thrice each; the index of what waits is kept small.
ALTER TABLE "delivery" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);

-- An attempt is a record: it may go when it is old, it never changes.
CREATE TRIGGER "delivery_attempt_is_written_once" BEFORE UPDATE ON "delivery_attempt"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('delivery_attempt_is_written_once');

-- Which event goes where is fixed, and a delivery stays.
CREATE TRIGGER "delivery_stays" BEFORE DELETE ON "delivery"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('delivery_stays');
CREATE TRIGGER "delivery_identity_is_fixed"
  BEFORE UPDATE OF merchant_id, id, environment, endpoint_id, event_id, created_at
  ON "delivery" FOR EACH ROW
  WHEN ((OLD.merchant_id, OLD.id, OLD.environment, OLD.endpoint_id, OLD.event_id, OLD.created_at)
    IS DISTINCT FROM (NEW.merchant_id, NEW.id, NEW.environment, NEW.endpoint_id, NEW.event_id, NEW.created_at))
  EXECUTE FUNCTION "refuse_change"('delivery_identity_is_fixed');

-- An endpoint is struck out, not removed: what was sent to it refers to it. Struck out, it stays so.
CREATE TRIGGER "webhook_endpoint_stays" BEFORE DELETE ON "webhook_endpoint"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('webhook_endpoint_stays');
CREATE TRIGGER "webhook_endpoint_deletion_is_final" BEFORE UPDATE ON "webhook_endpoint"
  FOR EACH ROW WHEN (OLD.deleted_at IS NOT NULL)
  EXECUTE FUNCTION "refuse_change"('webhook_endpoint_deletion_is_final');
