-- A session ends with its merchant's move. Its row travels, so it is ended when the merchant opens in the new cell: else it
-- would work again after a move back.
CREATE OR REPLACE FUNCTION open_arrival(arrived text, word text) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  fence record;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('merchant_move'), hashtext(arrived)) THEN RETURN false; END IF;
  DELETE FROM merchant_fence
  WHERE merchant = arrived AND state = 'ready' AND opening = encode(sha256(convert_to(word, 'UTF8')), 'hex')
  RETURNING stay, other_cell INTO fence;
  IF NOT FOUND THEN RETURN false; END IF;
  -- Whoever keeps that table locked must not keep the merchant closed. Its sessions then end when they are idle for too long.
  PERFORM set_config('lock_timeout', '200ms', true);
  BEGIN
    UPDATE member_session SET revoked_at = now() WHERE merchant_id = arrived AND revoked_at IS NULL AND expires_at > now();
  EXCEPTION WHEN lock_not_available THEN
    RAISE WARNING 'the sessions of % were not ended: the table is locked', arrived;
  END;
  INSERT INTO merchant_stay (merchant, number, from_cell) VALUES (arrived, fence.stay, fence.other_cell)
  ON CONFLICT (merchant) DO UPDATE SET number = excluded.number, from_cell = excluded.from_cell, since = excluded.since;
  RETURN true;
END
$$;
