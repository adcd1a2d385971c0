// Owns provider callbacks at rest: stored as they came, claimed by the worker, marked when applied.
import { AT_ONCE } from "./at-once";
import { query } from "./client";
import { unlessBeaten } from "./failures";

export interface StoredCallback {
  readonly provider: string;
  readonly callbackId: string;
  readonly body: string;
  readonly attempts: number;
}

/** Stores a verified callback; false when it is stored already (a duplicate). */
export async function storeCallbackAcrossMerchants(
  provider: string,
  callbackId: string,
  body: string,
): Promise<boolean> {
  const rows = await query(
    `INSERT INTO provider_callback (provider, callback_id, body, due_at)
     VALUES ($1, $2, $3, ${AT_ONCE})
     ON CONFLICT DO NOTHING RETURNING callback_id`,
    provider,
    callbackId,
    body,
  );
  return rows.length === 1;
}

/** Takes up to `count` callbacks that wait to be applied, for `leaseMs`. */
export async function claimDueCallbacksAcrossMerchants(count: number, leaseMs: number): Promise<StoredCallback[]> {
  const claim = query<{ provider: string; callback_id: string; body: string; attempts: number }>(
    `UPDATE provider_callback SET due_at = now() + $2 * interval '1 millisecond', attempts = attempts + 1
     WHERE (provider, callback_id) IN (
       SELECT provider, callback_id FROM provider_callback WHERE due_at <= now() ORDER BY due_at LIMIT $1)
       AND due_at <= now()
     RETURNING provider, callback_id, body, attempts`,
    count,
    leaseMs,
  );
  return (await unlessBeaten(claim, [])).map((row) => ({
    provider: row.provider,
    callbackId: row.callback_id,
    body: row.body,
    attempts: row.attempts,
  }));
}

/** Marks a callback as dealt with; `result` says how. */
export async function finishCallbackAcrossMerchants(
  provider: string,
  callbackId: string,
  result: string,
): Promise<void> {
  await query(
    `UPDATE provider_callback SET applied_at = now(), due_at = NULL, result = $3 WHERE provider = $1 AND callback_id = $2`,
    provider,
    callbackId,
    result,
  );
}
