-- The first of three steps that partition the two logs, "api_log" and "delivery_attempt", by the time in their ids. The
-- rows of today become the first partition, without being copied: here they are promised to lie below a bound, in the
-- second step the promise is proven while writes go on, and in the third the tables are exchanged at once.

-- A text that sorts before every id with that prefix made at that instant or later, and after earlier ones: the first ten
-- characters after the prefix are the id's ms since 1970 in base 32.
CREATE FUNCTION id_bound_at(prefix text, at timestamptz) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT
  RETURN prefix || (
    SELECT string_agg(
      substr('0123456789abcdefghjkmnpqrstvwxyz', 1 + (floor(extract(epoch FROM at) * 1000)::bigint >> (5 * place) & 31)::int, 1),
      '' ORDER BY place DESC)
    FROM generate_series(0, 9) AS place
  );

DO $$
DECLARE
  -- The steps take less than a day.
  until timestamptz := date_trunc('day', now(), 'UTC') + interval '2 days';
BEGIN
  EXECUTE format(
    'ALTER TABLE api_log ADD CONSTRAINT api_log_before_bound CHECK (id < %L) NOT VALID', id_bound_at('req_', until));
  EXECUTE format(
    'ALTER TABLE delivery_attempt ADD CONSTRAINT delivery_attempt_before_bound CHECK (delivery_id < %L) NOT VALID',
    id_bound_at('dlv_', until));
END
$$;

-- Where rows go whose ids name a time that no partition has: of a process whose clock is wrong, or of a delivery that is
-- sent again long after.
CREATE TABLE api_log_default (LIKE api_log INCLUDING ALL);
ALTER TABLE api_log_default DROP CONSTRAINT api_log_before_bound;
ALTER TABLE api_log_default ENABLE ROW LEVEL SECURITY;
CREATE TABLE delivery_attempt_default (LIKE delivery_attempt INCLUDING ALL);
ALTER TABLE delivery_attempt_default DROP CONSTRAINT delivery_attempt_before_bound;
ALTER TABLE delivery_attempt_default ENABLE ROW LEVEL SECURITY;
