-- As before, except that a trigger of a move refuses what is written once the merchant leaves or has left. A process of this
-- release is kept out before its statement. Others do not read fences: an earlier release, or somebody who connects as the owner.
-- What they wrote would be removed with the old rows.
CREATE OR REPLACE FUNCTION note_move_change() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  key_columns text[] := TG_ARGV[2:];
  before_key jsonb;
  after_key jsonb;
  fence record;
BEGIN
  IF EXISTS (SELECT FROM merchant_move_noting WHERE move_id = substring(TG_NAME FROM 'mov_.*') AND ended_at IS NOT NULL) THEN
    RETURN NULL;
  END IF;
  SELECT state, other_cell INTO fence FROM merchant_fence WHERE merchant = TG_ARGV[0] AND state IN ('leaving', 'left');
  IF FOUND THEN
    RAISE EXCEPTION 'the merchant is %; the other cell is %', fence.state, fence.other_cell
      USING ERRCODE = CASE fence.state WHEN 'left' THEN 'P0M02' ELSE 'P0M01' END;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    SELECT jsonb_object_agg(name, to_jsonb(OLD) -> name) INTO before_key FROM unnest(key_columns) AS name;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    SELECT jsonb_object_agg(name, to_jsonb(NEW) -> name) INTO after_key FROM unnest(key_columns) AS name;
  END IF;
  INSERT INTO merchant_move_change (merchant, table_name, key)
  SELECT DISTINCT TG_ARGV[0], TG_ARGV[1], key FROM unnest(ARRAY[before_key, after_key]) AS key WHERE key IS NOT NULL;
  RETURN NULL;
END
$$;
