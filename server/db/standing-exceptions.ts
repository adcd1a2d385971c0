// Owns the exceptions of states that last: opened once while unresolved, and again when the state outlasts its resolution.
import { newId } from "@/server/platform/ids";
import { query } from "./client";
import type { Opening } from "./exceptions";

const OPEN_STANDING = `
  INSERT INTO exception (merchant_id, id, environment, kind, object_id, fact, detail, opened_at)
  SELECT $1, $2, $3, $4, $5, $6 || ':' || (known.times + 1), $7::jsonb, $8::timestamptz
  FROM (
    SELECT count(*) AS times, count(*) FILTER (WHERE resolved_at IS NULL) AS unresolved,
           max(greatest(opened_at, resolved_at)) AS last_at
    FROM exception
    WHERE merchant_id = $1 AND environment = $3 AND object_id = $5 AND kind = $4
      AND (starts_with(fact, $6 || ':') OR fact = $4 || ':' || $5)
  ) known
  WHERE known.unresolved = 0 AND (known.last_at IS NULL OR known.last_at <= $8::timestamptz - interval '1 day')
  ON CONFLICT (merchant_id, environment, fact) DO NOTHING
  RETURNING id`;

/**
 * Opens the exception of a state that lasts, unless one is open or was resolved less than a day before `at`; false then.
 * Each opening has a fact of its own: the given one with a count. A fact of `kind:object` is an older release's, which
 * named no reason and counts for all of them.
 */
export async function openStandingException(opening: Opening, at: Date): Promise<boolean> {
  const { scope, kind, objectId, fact, detail } = opening;
  const { merchantId, environment } = scope;
  const values = [merchantId, newId("exception"), environment, kind, objectId, fact, JSON.stringify(detail), at];
  return (await query(OPEN_STANDING, ...values)).length === 1;
}
