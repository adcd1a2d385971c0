-- Which cell has a merchant must be certain after a crash, a failover and a restore, too (docs/decisions/0082). Only the owner of
-- the tables writes these rows; the service's role may call the functions below.

-- ready: the copy is complete and checked, and opens once the other cell says that the merchant has left.
ALTER TABLE "merchant_fence"
  ADD COLUMN "stay" INTEGER,
  ADD COLUMN "opening" TEXT,
  ADD COLUMN "overtaken_at" TIMESTAMPTZ(3),
  ADD COLUMN "lost_since" TIMESTAMPTZ(3),
  DROP CONSTRAINT "merchant_fence_state_known",
  ADD CONSTRAINT "merchant_fence_state_known" CHECK (state IN ('arriving', 'ready', 'closing', 'leaving', 'left')),
  ADD CONSTRAINT "merchant_fence_stay_positive" CHECK (stay > 0),
  ADD CONSTRAINT "merchant_fence_opening_form" CHECK (opening ~ '^[0-9a-f]{64}$'),
  ADD CONSTRAINT "merchant_fence_ready_can_open" CHECK (state <> 'ready' OR (stay IS NOT NULL AND opening IS NOT NULL)),
  ADD CONSTRAINT "merchant_fence_trouble_of_left" CHECK (state = 'left' OR num_nonnulls(overtaken_at, lost_since) = 0);

-- Stays of a merchant are numbered across the cells, from 0 where it was created. The row says which of them this cell had last;
-- no row means 0.
CREATE TABLE "merchant_stay" (
    "merchant" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "from_cell" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "merchant_stay_pkey" PRIMARY KEY ("merchant")
);

ALTER TABLE "merchant_stay"
  ADD CONSTRAINT "merchant_stay_merchant_form" CHECK (merchant ~ '^mer_[0-9a-z_]+$'),
  ADD CONSTRAINT "merchant_stay_number_positive" CHECK (number > 0),
  ADD CONSTRAINT "merchant_stay_from_cell_form" CHECK (from_cell ~ '^[a-z][a-z0-9-]{0,31}$');

CREATE TRIGGER "merchant_stay_goes_forward" BEFORE UPDATE ON "merchant_stay"
  FOR EACH ROW WHEN (OLD.merchant <> NEW.merchant OR OLD.number >= NEW.number)
  EXECUTE FUNCTION "refuse_change"('merchant_stay_goes_forward');

CREATE TRIGGER "merchant_stay_stays" BEFORE DELETE ON "merchant_stay"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('merchant_stay_stays');

CREATE TRIGGER "merchant_stay_is_not_truncated" BEFORE TRUNCATE ON "merchant_stay"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"('merchant_stay_is_not_truncated');

GRANT SELECT ON "merchant_stay" TO PUBLIC;

-- Opens a merchant in the cell that it moves to; returns whether this call did. The word is what the other cell's fence has
-- published together with 'left'. Here is only its digest, so nobody opens a merchant that has not left. A move that is alive
-- opens it in its own session, which has the lock.
CREATE FUNCTION open_arrival(arrived text, word text) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  fence record;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('merchant_move'), hashtext(arrived)) THEN RETURN false; END IF;
  DELETE FROM merchant_fence
  WHERE merchant = arrived AND state = 'ready' AND opening = encode(sha256(convert_to(word, 'UTF8')), 'hex')
  RETURNING stay, other_cell INTO fence;
  IF NOT FOUND THEN RETURN false; END IF;
  INSERT INTO merchant_stay (merchant, number, from_cell) VALUES (arrived, fence.stay, fence.other_cell)
  ON CONFLICT (merchant) DO UPDATE SET number = excluded.number, from_cell = excluded.from_cell, since = excluded.since;
  RETURN true;
END
$$;
REVOKE EXECUTE ON FUNCTION open_arrival FROM PUBLIC;

-- Closes a merchant that is open in another cell in a later stay; returns whether this call did. The cell lacks its move: it was
-- restored, or failed over. What it wrote since then stays here, for the operator.
CREATE FUNCTION close_older_stay(overtaken text, newer_cell text, newer_stay int) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF newer_cell = (SELECT cell FROM installation) THEN RETURN false; END IF;
  IF newer_stay <= coalesce((SELECT number FROM merchant_stay WHERE merchant = overtaken), 0) THEN RETURN false; END IF;
  IF NOT EXISTS (SELECT FROM merchant WHERE id = overtaken) THEN RETURN false; END IF;
  INSERT INTO merchant_fence AS f (merchant, state, other_cell, stay, overtaken_at)
  VALUES (overtaken, 'left', newer_cell, newer_stay, now())
  ON CONFLICT (merchant) DO UPDATE SET state = excluded.state, other_cell = excluded.other_cell, stay = excluded.stay,
    opening = NULL, overtaken_at = excluded.overtaken_at, since = now()
  WHERE f.state IN ('closing', 'leaving');
  RETURN FOUND;
END
$$;
REVOKE EXECUTE ON FUNCTION close_older_stay FROM PUBLIC;

-- Notes whether the cell that has a merchant lacks it; returns whether that is news.
CREATE FUNCTION note_lost_merchant(lost text, is_lost boolean) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE merchant_fence SET lost_since = CASE WHEN is_lost THEN now() END
  WHERE merchant = lost AND state = 'left' AND (lost_since IS NOT NULL) <> is_lost;
  RETURN FOUND;
END
$$;
REVOKE EXECUTE ON FUNCTION note_lost_merchant FROM PUBLIC;
