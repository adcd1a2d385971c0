-- Whether this cell has rows of a merchant, also behind a fence, where no other statement of the service sees them
-- (docs/decisions/0082). The rows of a merchant that has left go all at once, so its own row answers for all of them.
CREATE FUNCTION has_rows_of(closed text) RETURNS boolean
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM merchant WHERE id = closed)
$$;
REVOKE EXECUTE ON FUNCTION has_rows_of FROM PUBLIC;
