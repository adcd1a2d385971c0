-- Keeps all work of the service from a merchant that moves to another cell, or has (docs/decisions/0082). A merchant without a
-- row is open. The statement that precedes every other one reads this table in the same transaction (server/db/reach-client.ts),
-- so a process that was paused for an hour is kept out like any other. Only the owner of the tables writes it.
CREATE TABLE "merchant_fence" (
    "merchant" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "other_cell" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "merchant_fence_pkey" PRIMARY KEY ("merchant")
);

-- arriving: a copy that does not count yet. closing: no new work is taken up, and what is under way may end. leaving: nothing
-- may happen. left: the other cell has the merchant.
ALTER TABLE "merchant_fence"
  ADD CONSTRAINT "merchant_fence_merchant_form" CHECK (merchant ~ '^mer_[0-9a-z_]+$'),
  ADD CONSTRAINT "merchant_fence_state_known" CHECK (state IN ('arriving', 'closing', 'leaving', 'left')),
  ADD CONSTRAINT "merchant_fence_other_cell_form" CHECK (other_cell ~ '^[a-z][a-z0-9-]{0,31}$');

-- Who has left may come back as a copy, and by no other way.
CREATE TRIGGER "merchant_fence_departure_is_final" BEFORE UPDATE ON "merchant_fence"
  FOR EACH ROW WHEN (OLD.merchant <> NEW.merchant OR (OLD.state = 'left' AND NEW.state NOT IN ('left', 'arriving')))
  EXECUTE FUNCTION "refuse_change"('merchant_fence_departure_is_final');

CREATE TRIGGER "merchant_fence_departure_stays" BEFORE DELETE ON "merchant_fence"
  FOR EACH ROW WHEN (OLD.state = 'left') EXECUTE FUNCTION "refuse_change"('merchant_fence_departure_stays');

CREATE TRIGGER "merchant_fence_is_not_truncated" BEFORE TRUNCATE ON "merchant_fence"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"('merchant_fence_is_not_truncated');

-- Whatever role a connection begins with reads it.
GRANT SELECT ON "merchant_fence" TO PUBLIC;

-- Returns the reach of a statement, without fenced merchants if it is that of every one. Ends the work of a fenced merchant:
-- P0M02 if it is in another cell now, else P0M01: it will be, or will be back, soon. Each look has a plan of its own, which is
-- kept; in one statement, both would be planned anew each time.
CREATE FUNCTION reach_beside_fences(reach text) RETURNS text
  LANGUAGE plpgsql STABLE AS $$
DECLARE
  fence record;
BEGIN
  IF reach = '*' THEN
    RETURN coalesce((SELECT '*,' || string_agg(merchant, ',') FROM merchant_fence), reach);
  END IF;
  SELECT state, other_cell INTO fence FROM merchant_fence
  WHERE merchant = ANY (string_to_array(reach, ',')) AND state <> 'closing' LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'the merchant is %; the other cell is %', fence.state, fence.other_cell
      USING ERRCODE = CASE fence.state WHEN 'left' THEN 'P0M02' ELSE 'P0M01' END;
  END IF;
  RETURN reach;
END
$$;

-- A reach of '*,a,b' is every merchant but a and b. The other two forms are compared as before, the first of them at once.
CREATE OR REPLACE FUNCTION within_reach(merchant text) RETURNS boolean
  LANGUAGE sql STABLE
  RETURN array_position(
    string_to_array(current_setting('sluice.reach', true), ','),
    CASE
      WHEN current_setting('sluice.reach', true) = '*' THEN '*'
      WHEN NOT starts_with(current_setting('sluice.reach', true), '*') THEN merchant
      WHEN merchant = ANY (string_to_array(current_setting('sluice.reach', true), ',')) THEN NULL
      ELSE '*'
    END
  ) IS NOT NULL;
