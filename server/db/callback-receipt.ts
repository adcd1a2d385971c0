// Stores provider callbacks as they came: from the provider, or from another cell that hands them over.
import type { ReceivedCallback } from "./callbacks";
import { queryAcrossMerchants } from "./client";
import { NOW_MS } from "./now-ms";

type Stored = Promise<"stored" | "duplicate" | "different">;

/** With its new digest: the secret of the old one may be gone. */
const AS_IT_CAME = `received_at = excluded.received_at, digest = excluded.digest, due_at = excluded.due_at,
  applied_at = NULL, result = NULL, attempts = c.attempts + 1`;

/**
 * The row is due again as it came. The cell that it was handed over to may have been restored since; or this one was, applied it, and
 * has closed its merchant because another cell has a later state. Whoever knows it already ignores it.
 */
const TRY_AGAIN = `(provider, callback_id) DO UPDATE
  SET ${AS_IT_CAME}
  WHERE c.body = excluded.body AND (c.result = 'handed_over' OR c.result IN ('applied', 'ignored') AND EXISTS (
    SELECT FROM merchant_fence WHERE state = 'left' AND overtaken_at IS NOT NULL))`;

/**
 * Stores a verified callback under its key, with its digest. One that may be missing in another cell is tried again.
 * different: another body is stored under the key.
 */
export const storeCallbackAcrossMerchants = (callback: ReceivedCallback, digest: string): Stored =>
  store(callback, digest, TRY_AGAIN);

/**
 * The row is due as a new one would be. The number of the try counts up, which ends the claim of a worker that may be about to
 * record that it has handed the callback over.
 */
const REOPEN = `(provider, callback_id) DO UPDATE
  SET ${AS_IT_CAME}
  WHERE c.body = excluded.body AND (c.result IS NULL OR c.result = 'handed_over')`;

/**
 * Stores a callback that another cell hands over. An equal one that this cell had handed over itself, or that waits, is due
 * again. One whose tries have ended here is a duplicate.
 */
export const takeOverCallbackAcrossMerchants = (callback: ReceivedCallback, digest: string): Stored =>
  store(callback, digest, REOPEN);

/** What a cell may lack that was restored from a backup of the last 90 days. */
export const MAY_BE_LACKING = "result = 'handed_over' AND received_at > now() - interval '90 days'";

/** A second's work of a worker. */
const RETRIED_AT_ONCE = 1_000;

/**
 * Makes callbacks of the last 90 days due again that the running work's cell has handed over. A cell that knows one ignores it. They
 * are due a thousand a second, so that new ones need not wait for all of them. Repeated after an error, it goes on.
 */
export async function retryHandedOverAcrossMerchants(): Promise<void> {
  // One that is handed over meanwhile is there.
  const [begun] = await queryAcrossMerchants<{ at: Date }>("SELECT clock_timestamp() AS at");
  for (let second = 0; ; second += 1) {
    const due = await queryAcrossMerchants(
      `WITH lacking AS MATERIALIZED (
         SELECT provider, callback_id FROM provider_callback WHERE ${MAY_BE_LACKING} AND applied_at < $3::timestamptz
         ORDER BY received_at DESC LIMIT $1 FOR UPDATE SKIP LOCKED)
       UPDATE provider_callback c
       SET due_at = ${NOW_MS} + $2::int * interval '1 second', applied_at = NULL, result = NULL, attempts = attempts + 1
       FROM lacking WHERE c.provider = lacking.provider AND c.callback_id = lacking.callback_id
       RETURNING c.callback_id`,
      RETRIED_AT_ONCE,
      second,
      begun?.at,
    );
    if (due.length === 0) return;
  }
}

async function store(
  { provider, callbackId, body, receivedAt }: ReceivedCallback,
  digest: string,
  onConflict: string,
): Stored {
  const rows = await queryAcrossMerchants(
    `INSERT INTO provider_callback AS c (provider, callback_id, body, received_at, digest, due_at)
     VALUES ($1, $2, $3, $4::timestamptz, $5, ${NOW_MS})
     ON CONFLICT ${onConflict} RETURNING callback_id`,
    provider,
    callbackId,
    body,
    receivedAt,
    digest,
  );
  if (rows.length === 1) return "stored";
  const equal = await queryAcrossMerchants(
    "SELECT FROM provider_callback WHERE provider = $1 AND callback_id = $2 AND body = $3",
    provider,
    callbackId,
    body,
  );
  return equal.length === 1 ? "duplicate" : "different";
}
