-- A cell keeps a fence of each merchant that has ever left it. A reach past a thousand of them was cut into a list
-- for every row, which took up to a millisecond; now the row's merchant is looked for in its text, which takes microseconds.

-- The same as before, with a comma at its end: each merchant is between two.
CREATE OR REPLACE FUNCTION reach_past_fences(reach text) RETURNS text
  LANGUAGE plpgsql STABLE AS $$
DECLARE
  fence record;
BEGIN
  IF reach = '*' THEN
    RETURN coalesce((SELECT '*,' || string_agg(merchant, ',') || ',' FROM merchant_fence), reach);
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

-- Three forms of a reach: '*' is every merchant, '*,a,b,' every merchant but a and b, 'a,b' those two. A row without a merchant is
-- within the first two. The planner takes `IS NOT NULL` for true of nearly every row, as in the functions before. Reading a long
-- setting costs as much as the search in it, so it is read twice at most.
CREATE OR REPLACE FUNCTION within_reach(merchant text) RETURNS boolean
  LANGUAGE sql STABLE
  RETURN (
    CASE WHEN starts_with(current_setting('sluice.reach', true), '*')
      THEN CASE WHEN coalesce(strpos(current_setting('sluice.reach', true), ',' || merchant || ','), 0) = 0 THEN '*' END
      ELSE CASE WHEN merchant = ANY (string_to_array(current_setting('sluice.reach', true), ',')) THEN merchant END
    END
  ) IS NOT NULL;
