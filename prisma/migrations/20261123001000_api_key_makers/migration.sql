-- The members who created or rolled a key. Empty if only operators did; NULL if unknown.
ALTER TABLE "api_key" ADD COLUMN "makers" TEXT[];

-- A key without an audit entry of its creation stays unknown until it is rolled.
UPDATE "api_key" k SET makers = known.makers
FROM (
  SELECT merchant_id, object_id,
         coalesce(array_agg(DISTINCT actor_id) FILTER (WHERE actor_type = 'member'), '{}') AS makers
  FROM audit_entry
  WHERE action IN ('api_key.create', 'api_key.roll')
  GROUP BY merchant_id, object_id
  HAVING bool_or(action = 'api_key.create')
) known
WHERE known.merchant_id = k.merchant_id AND known.object_id = k.id;

-- Makers are only added, and an unknown maker stays unknown.
CREATE TRIGGER "api_key_makers_stay" BEFORE UPDATE OF makers ON "api_key"
  FOR EACH ROW WHEN (OLD.makers IS DISTINCT FROM NEW.makers AND (OLD.makers <@ NEW.makers) IS NOT TRUE)
  EXECUTE FUNCTION "refuse_change"('api_key_makers_stay');
