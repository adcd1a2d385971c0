-- What keeps work of any merchant from being sent: suspensions and open pauses. Also of merchants behind a fence
-- (docs/decisions/0082): one that closes still ends what it has begun, and one that arrives may send the moment it opens.
CREATE FUNCTION "dispatch_holds"(OUT suspended text[], OUT open jsonb)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT ARRAY(SELECT id FROM merchant WHERE suspended_at IS NOT NULL ORDER BY id),
         coalesce((SELECT jsonb_agg(jsonb_build_object('id', id, 'provider', provider, 'merchantId', merchant_id,
           'currency', currency, 'reason', reason, 'pausedBy', paused_by, 'pausedAt', paused_at) ORDER BY paused_at)
           FROM dispatch_pause WHERE resumed_at IS NULL), '[]')
$$;
REVOKE EXECUTE ON FUNCTION "dispatch_holds" FROM PUBLIC;
