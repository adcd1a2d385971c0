-- What the statements of a payment's life cost, in three layouts: whole (as it is), split (status and next action in a table
-- of their own) and queued (due_at in a table of its own). Prints WAL bytes and CPU time of Postgres for each life.
-- Docs/decisions/0081 says what came of it.
--
-- On Linux, as a superuser, in a scratch database that has Sluice's schema, on a server with full_page_writes = off:
--   psql -q -v rows=40000 -f bench/sql/payment-split.sql SCRATCH
--
-- A life: created, answered with a QR code, polled in three of ten cases, paid. Sixteen lives share a statement. There are
-- no triggers, checks or foreign keys.
\set ON_ERROR_STOP on
SET client_min_messages = warning;
SET synchronous_commit = off;
-- As the service's sessions: by keys, however small the tables are.
SET enable_seqscan = off;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SET enable_bitmapscan = off;
DROP SCHEMA IF EXISTS trial CASCADE;
CREATE SCHEMA trial;
SET search_path = trial;

CREATE TABLE whole (LIKE public.payment_intent INCLUDING INDEXES);

CREATE TABLE fixed AS
  SELECT merchant_id, id, environment, amount, currency, country, merchant_reference, payment_method, next_action_type,
         expires_at, created_at, dispatch_reference
  FROM whole;
ALTER TABLE fixed ADD PRIMARY KEY (merchant_id, id);
CREATE UNIQUE INDEX ON fixed (merchant_id, environment, merchant_reference);
CREATE UNIQUE INDEX ON fixed (merchant_id, dispatch_reference) WHERE dispatch_reference IS NOT NULL;
CREATE INDEX ON fixed (id);
CREATE INDEX ON fixed (merchant_id, environment, created_at DESC, id DESC);
CREATE INDEX ON fixed (merchant_id, environment, country, created_at DESC, id DESC);
CREATE INDEX ON fixed (merchant_id, environment, currency, created_at DESC, id DESC);
CREATE INDEX ON fixed (merchant_id, environment, payment_method, created_at DESC, id DESC);
CREATE TABLE state AS
  SELECT merchant_id, id, environment, created_at, status, revision, provider, next_action, updated_at, due_at FROM whole;
ALTER TABLE state ADD PRIMARY KEY (merchant_id, id);
CREATE INDEX ON state (merchant_id, environment, status, created_at DESC, id DESC);
CREATE INDEX ON state (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX ON state (merchant_id, due_at) WHERE due_at IS NOT NULL AND environment = 'test';
CREATE INDEX ON state (due_at) WHERE status = 'processing';

CREATE TABLE queued (LIKE public.payment_intent INCLUDING INDEXES);
ALTER TABLE queued DROP COLUMN due_at;
CREATE TABLE queue (merchant_id text, id text, environment text, due_at timestamptz(3), PRIMARY KEY (merchant_id, id));
CREATE INDEX ON queue (due_at);
CREATE INDEX ON queue (merchant_id, due_at) WHERE environment = 'test';

CREATE TABLE life AS
  SELECT n, 'mer_01m8bj8gtcexy8crhmsfb2mmx' || n % 3 AS merchant_id,
         'dord_' || to_char(n, 'FM00000000000000') || left(md5(n::text), 12) AS id,
         gen_random_uuid()::text AS reference,
         'dord_' || left(md5('x' || n), 8) || '_' || to_char(n, 'FM00000000000000') || left(md5(n::text), 12) AS dispatched,
         clock_timestamp() + n * interval '5 ms' AS at
  FROM generate_series(1, :rows) n;
CREATE UNIQUE INDEX ON life (n);
ANALYZE life;

CREATE FUNCTION qr_code() RETURNS jsonb LANGUAGE sql IMMUTABLE RETURN jsonb_build_object(
  'type', 'display_qr_code', 'data', repeat('00020126580014br.gov.bcb.pix0136', 5),
  'image_url_png', 'https://api.example.com/pay/' || repeat('x', 31) || '/qr.png',
  'image_url_svg', 'https://api.example.com/pay/' || repeat('x', 31) || '/qr.svg',
  'hosted_instructions_url', 'https://api.example.com/pay/' || repeat('x', 31), 'expires_at', '2026-11-26T00:00:00.000Z');

-- User and system time of this session's process, in ms.
CREATE FUNCTION cpu_ms() RETURNS numeric LANGUAGE sql VOLATILE AS $$
  SELECT 10 * (field[12]::numeric + field[13]::numeric)
  FROM (SELECT string_to_array(regexp_replace(pg_read_file('/proc/self/stat', 0, 2000), '^.*\) ', ''), ' ') AS field) stat $$;

CREATE TABLE cost (layout text, wal_bytes numeric, cpu_ms numeric);

CREATE PROCEDURE play(layout text, lives int) LANGUAGE plpgsql AS $$
DECLARE
  size CONSTANT int := 16;
  since pg_lsn := pg_current_wal_insert_lsn();
  used numeric := cpu_ms();
  first int;
BEGIN
  FOR first IN SELECT generate_series(1, lives, size) LOOP
    IF layout = 'whole' THEN
      INSERT INTO whole (merchant_id, id, environment, status, revision, amount, currency, country, merchant_reference,
                         payment_method, provider, next_action_type, expires_at, created_at, updated_at, due_at, dispatch_reference)
      SELECT merchant_id, id, 'test', 'processing', 0, 1050, 'BRL', 'BR', reference, 'BR_PIX', 'acme', 'display_qr_code',
             at + interval '1 h', at, at, at + interval '30 s', dispatched
      FROM life WHERE n >= first AND n < first + size;
      COMMIT;
      UPDATE whole w SET status = 'requires_action', revision = 1, next_action = qr_code(),
                         updated_at = at + interval '50 ms', due_at = at + interval '60 s'
      FROM life l WHERE n >= first AND n < first + size AND w.merchant_id = l.merchant_id AND w.id = l.id;
    ELSIF layout = 'split' THEN
      INSERT INTO fixed SELECT merchant_id, id, 'test', 1050, 'BRL', 'BR', reference, 'BR_PIX', 'display_qr_code',
                               at + interval '1 h', at, dispatched
      FROM life WHERE n >= first AND n < first + size;
      INSERT INTO state SELECT merchant_id, id, 'test', at, 'processing', 0, 'acme', NULL, at, at + interval '30 s'
      FROM life WHERE n >= first AND n < first + size;
      COMMIT;
      UPDATE state s SET status = 'requires_action', revision = 1, next_action = qr_code(),
                         updated_at = at + interval '50 ms', due_at = at + interval '60 s'
      FROM life l WHERE n >= first AND n < first + size AND s.merchant_id = l.merchant_id AND s.id = l.id;
    ELSE
      INSERT INTO queued (merchant_id, id, environment, status, revision, amount, currency, country, merchant_reference,
                          payment_method, provider, next_action_type, expires_at, created_at, updated_at, dispatch_reference)
      SELECT merchant_id, id, 'test', 'processing', 0, 1050, 'BRL', 'BR', reference, 'BR_PIX', 'acme', 'display_qr_code',
             at + interval '1 h', at, at, dispatched
      FROM life WHERE n >= first AND n < first + size;
      INSERT INTO queue SELECT merchant_id, id, 'test', at + interval '30 s' FROM life WHERE n >= first AND n < first + size;
      COMMIT;
      UPDATE queued q SET status = 'requires_action', revision = 1, next_action = qr_code(), updated_at = at + interval '50 ms'
      FROM life l WHERE n >= first AND n < first + size AND q.merchant_id = l.merchant_id AND q.id = l.id;
      UPDATE queue q SET due_at = at + interval '60 s'
      FROM life l WHERE n >= first AND n < first + size AND q.merchant_id = l.merchant_id AND q.id = l.id;
    END IF;
    COMMIT;
  END LOOP;
  FOR first IN SELECT generate_series(1, lives, size) LOOP
    IF layout = 'whole' THEN
      UPDATE whole w SET due_at = at + interval '90 s'
      FROM life l WHERE n >= first AND n < first + size AND n % 10 < 3 AND w.merchant_id = l.merchant_id AND w.id = l.id;
      COMMIT;
      UPDATE whole w SET status = 'succeeded', revision = 2, next_action = NULL, updated_at = at + interval '40 s', due_at = NULL
      FROM life l WHERE n >= first AND n < first + size AND w.merchant_id = l.merchant_id AND w.id = l.id;
    ELSIF layout = 'split' THEN
      UPDATE state s SET due_at = at + interval '90 s'
      FROM life l WHERE n >= first AND n < first + size AND n % 10 < 3 AND s.merchant_id = l.merchant_id AND s.id = l.id;
      COMMIT;
      UPDATE state s SET status = 'succeeded', revision = 2, next_action = NULL, updated_at = at + interval '40 s', due_at = NULL
      FROM life l WHERE n >= first AND n < first + size AND s.merchant_id = l.merchant_id AND s.id = l.id;
    ELSE
      UPDATE queue q SET due_at = at + interval '90 s'
      FROM life l WHERE n >= first AND n < first + size AND n % 10 < 3 AND q.merchant_id = l.merchant_id AND q.id = l.id;
      COMMIT;
      UPDATE queued q SET status = 'succeeded', revision = 2, next_action = NULL, updated_at = at + interval '40 s'
      FROM life l WHERE n >= first AND n < first + size AND q.merchant_id = l.merchant_id AND q.id = l.id;
      DELETE FROM queue q USING life l WHERE n >= first AND n < first + size AND q.merchant_id = l.merchant_id AND q.id = l.id;
    END IF;
    COMMIT;
  END LOOP;
  INSERT INTO cost VALUES (layout, pg_current_wal_insert_lsn() - since, cpu_ms() - used);
END $$;

CALL play('whole', :rows);
CALL play('split', :rows);
CALL play('queued', :rows);
SELECT layout, round(wal_bytes / :rows) AS wal_bytes, round(1000 * cpu_ms / :rows) AS cpu_us FROM cost;
DROP SCHEMA trial CASCADE;
