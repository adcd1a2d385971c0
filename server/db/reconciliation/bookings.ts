// Tells which of the bookings that a settlement asks for exist already.
import { query } from "../client";

/** A ledger transaction by what makes it unique. */
export interface BookingKey {
  readonly merchantId: string;
  readonly uniqueKey: string;
}

/** Those of the keys under which nothing is booked yet, in the same order. */
export async function findUnbooked<Key extends BookingKey>(environment: string, keys: readonly Key[]): Promise<Key[]> {
  const rows = await query<{ n: number }>(
    `SELECT k.n FROM jsonb_to_recordset($2::jsonb) AS k(n int, merchant_id text, unique_key text)
     WHERE NOT EXISTS (
       SELECT FROM ledger_transaction t
       WHERE t.merchant_id = k.merchant_id AND t.environment = $1 AND t.unique_key = k.unique_key)`,
    environment,
    JSON.stringify(keys.map(({ merchantId, uniqueKey }, n) => ({ n, merchant_id: merchantId, unique_key: uniqueKey }))),
  );
  const open = new Set(rows.map(({ n }) => n));
  return keys.filter((_, n) => open.has(n));
}
