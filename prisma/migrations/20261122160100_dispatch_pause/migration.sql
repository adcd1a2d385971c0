-- Dispatch control: what operators pause, and payouts of a database that was restored.

-- CreateTable
CREATE TABLE "dispatch_pause" (
    "id" TEXT NOT NULL,
    "provider" TEXT,
    "merchant_id" TEXT,
    "currency" TEXT,
    "reason" TEXT NOT NULL,
    "paused_by" TEXT NOT NULL,
    "paused_at" TIMESTAMPTZ(3) NOT NULL,
    "resume_reason" TEXT,
    "resumed_by" TEXT,
    "resumed_at" TIMESTAMPTZ(3),

    CONSTRAINT "dispatch_pause_pkey" PRIMARY KEY ("id")
);

-- AlterTable
ALTER TABLE "installation" ADD COLUMN "database_identity" TEXT;

-- A pause is its own record: it stays, and is ended once.
ALTER TABLE "dispatch_pause"
  ADD CONSTRAINT "dispatch_pause_id_prefix" CHECK (starts_with(id, 'dpz_')),
  ADD CONSTRAINT "dispatch_pause_currency_form" CHECK (currency ~ '^[A-Z]{3,6}$'),
  ADD CONSTRAINT "dispatch_pause_reason_says_something" CHECK (char_length(reason) BETWEEN 1 AND 512),
  ADD CONSTRAINT "dispatch_pause_resumed_whole" CHECK (
    (resumed_at IS NULL) = (resume_reason IS NULL) AND (resumed_at IS NULL) = (resumed_by IS NULL));
CREATE TRIGGER "dispatch_pause_is_fixed" BEFORE UPDATE ON "dispatch_pause"
  FOR EACH ROW WHEN (OLD.resumed_at IS NOT NULL OR
    (OLD.id, OLD.provider, OLD.merchant_id, OLD.currency, OLD.reason, OLD.paused_by, OLD.paused_at) IS DISTINCT FROM
    (NEW.id, NEW.provider, NEW.merchant_id, NEW.currency, NEW.reason, NEW.paused_by, NEW.paused_at))
  EXECUTE FUNCTION "refuse_change"('dispatch_pause_is_fixed');
CREATE TRIGGER "dispatch_pause_stays" BEFORE DELETE ON "dispatch_pause"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('dispatch_pause_stays');

-- Cluster, timeline and database: another one after point-in-time recovery, after a failover to a replica, and in a copy
-- under another name. The timeline is read from the log's position, since the control file changes only at the next
-- checkpoint. Null where the role or the server does not give it.
CREATE FUNCTION "current_database_identity"() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT system_identifier FROM pg_control_system())
    || '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)
    || '/' || (SELECT oid FROM pg_database WHERE datname = current_database());
EXCEPTION
  WHEN insufficient_privilege OR feature_not_supported OR undefined_function OR object_not_in_prerequisite_state THEN
    RETURN NULL;
END
$$;

-- No worker, of whatever release, announces the call that sends a payout while that is paused, nor in a database that is
-- not the one whose payouts were reconciled last.
CREATE FUNCTION "require_running_dispatch"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM dispatch_pause d
    WHERE d.resumed_at IS NULL
      AND (d.provider IS NULL OR d.provider = NEW.provider)
      AND (d.merchant_id IS NULL OR d.merchant_id = NEW.merchant_id)
      AND (d.currency IS NULL OR EXISTS (
        SELECT FROM payout_intent i
        WHERE i.merchant_id = NEW.merchant_id AND i.id = NEW.intent_id AND i.currency = d.currency))
  ) OR EXISTS (SELECT FROM installation n WHERE n.database_identity <> current_database_identity())
  THEN
    RAISE EXCEPTION 'attempt about % violates rule "dispatch_is_running"', NEW.intent_id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'dispatch_is_running';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER "provider_attempt_dispatch_is_running" BEFORE INSERT ON "provider_attempt"
  FOR EACH ROW WHEN (NEW.state = 'started' AND starts_with(NEW.intent_id, 'word_')) EXECUTE FUNCTION "require_running_dispatch"();
