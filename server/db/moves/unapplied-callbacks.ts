// Callbacks that wait for an operator: their exceptions move with the merchant, and name them.
import { UNAPPLIED } from "../callbacks";
import { type Owner, transact, WITHOUT_TRIGGERS } from "./owner";

const INSERT = `
  INSERT INTO provider_callback AS c SELECT * FROM unnest($1::text[]::provider_callback[])
  ON CONFLICT (provider, callback_id) DO UPDATE
  SET result = excluded.result, applied_at = excluded.applied_at, attempts = c.attempts + 1
  WHERE c.body = excluded.body AND c.result = 'handed_over'`;

/** Those that are there now: another body under the same name stays apart, here and there. */
const STORED = `
  SELECT c::text AS row FROM provider_callback c
  JOIN unnest($1::text[]::provider_callback[]) AS r ON (r.provider, r.callback_id, r.body) = (c.provider, c.callback_id, c.body)`;

const END = `
  UPDATE provider_callback c SET result = 'handed_over' FROM unnest($1::text[]::provider_callback[]) AS r
  WHERE (r.provider, r.callback_id) = (c.provider, c.callback_id) AND c.${UNAPPLIED}`;

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
  const stored = (await to.query<{ row: string }>(STORED, rows)).map(({ row }) => row);
  await transact(from, WITHOUT_TRIGGERS, () => from.query(END, stored));
}
