// Open exceptions of states that are over: their intents have ended since.
import { queryAcrossMerchants } from "./client";
import { EXCEPTION_COLUMNS, type ExceptionRow, exceptionFromRow, type StoredException } from "./exceptions";

/**
 * Up to `count` open exceptions of states that lasted until their intent ended, with its status. A contradiction is over once
 * the intent has succeeded or people have ended it. One that names a sum is over only by people, who knew of it: nothing has
 * booked that sum. One of a return outlasts their success too: they found what left, not what came back. A report about a
 * settled refund that no adapter can judge is about what became of it since.
 */
export async function findEndedStuckAcrossMerchants(
  count: number,
): Promise<{ readonly exception: StoredException; readonly status: string }[]> {
  const ended = (table: string) =>
    `SELECT status, updated_at AS ended_at
     FROM ${table} i WHERE i.merchant_id = x.merchant_id AND i.id = x.object_id AND i.due_at IS NULL`;
  const refund =
    "SELECT state, ended_at FROM suspense_refund i WHERE i.merchant_id = x.merchant_id AND i.id = x.object_id AND ended_at IS NOT NULL";
  const subjects = [...["payment_intent", "payout_intent", "topup_intent"].map(ended), refund].join(" UNION ALL ");
  const rows = await queryAcrossMerchants<ExceptionRow & { status: string }>(
    `SELECT ${EXCEPTION_COLUMNS}, status FROM exception x CROSS JOIN LATERAL (${subjects}) ended
     WHERE resolved_at IS NULL AND ((kind IN ('stuck', 'screening_hold')
       AND NOT (status = 'settled' AND opened_at > ended_at AND starts_with(fact, 'stuck:' || object_id || ':unmapped'))) OR (kind = 'contradiction' AND (
       (status = 'succeeded' AND detail->>'reported_amount' IS NULL) OR (opened_at <= ended_at AND EXISTS (
         SELECT FROM manual_resolution r WHERE (r.merchant_id, r.intent_id, r.state) = (x.merchant_id, x.object_id, 'confirmed')
       ) AND NOT (status = 'succeeded' AND starts_with(fact, 'contradiction:' || object_id || ':returned '))))))
     ORDER BY opened_at LIMIT $1`,
    count,
  );
  return rows.map((row) => ({ exception: exceptionFromRow(row), status: row.status }));
}
