// Callbacks that wait for an operator: their exceptions move with the merchant, and name them.
import { UNAPPLIED } from "../callbacks";
import { type Owner, transact, WITHOUT_TRIGGERS } from "./owner";

const INSERT = `
  INSERT INTO provider_callback AS c SELECT * FROM unnest($1::text[]::provider_callback[])
  ON CONFLICT (provider, callback_id) DO UPDATE
  SET result = excluded.result, applied_at = excluded.applied_at, attempts = c.attempts + 1
  WHERE c.body = excluded.body AND c.result = 'handed_over'`;

/**
 * Hands over the callbacks that exceptions of the merchant are about, with their digests; may be repeated. One that was handed over
 * from the new cell before comes back.
 */
export async function handOverUnapplied(from: Owner, to: Owner, merchantId: string): Promise<void> {
  const which = `${UNAPPLIED} AND provider || '/' || callback_id IN (
    SELECT detail ->> 'callback' FROM exception WHERE merchant_id = $1 AND kind = 'unapplied_callback')`;
  const read = `SELECT c::text AS row FROM provider_callback c WHERE ${which}`;
  const rows = (await from.query<{ row: string }>(read, merchantId)).map(({ row }) => row);
  await transact(to, WITHOUT_TRIGGERS, () => to.query(INSERT, rows));
  const end = `UPDATE provider_callback SET result = 'handed_over' WHERE ${which}`;
  await transact(from, WITHOUT_TRIGGERS, () => from.query(end, merchantId));
}
