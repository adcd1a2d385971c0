// The notes of what changed in the old cell while a merchant's rows are copied. They are read in parts, since there may be millions.
import type { Owner } from "./owner";
import type { Key } from "./rows";
import type { MovedTable } from "./shape";

const CURSOR = "noted_keys";

/** The number of different keys that are noted, by table. */
export async function countChanges(owner: Owner, merchantId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await owner.query<{ name: string; count: number }>(
    `SELECT table_name AS name, count(DISTINCT key)::int AS count FROM merchant_move_change
     WHERE merchant = $1 GROUP BY table_name`,
    merchantId,
  );
  return new Map(rows.map(({ name, count }) => [name, count]));
}

/**
 * The keys of a table that are noted, each once, in parts of `count` at most. A transaction with one snapshot must be open; one
 * table is read at a time, to its end.
 */
export async function* readChanges(
  owner: Owner,
  { name }: MovedTable,
  merchantId: string,
  count: number,
): AsyncGenerator<readonly Key[]> {
  await owner.query(
    `DECLARE ${CURSOR} NO SCROLL CURSOR FOR
     SELECT DISTINCT key::text AS key FROM merchant_move_change WHERE merchant = $1 AND table_name = $2`,
    merchantId,
    name,
  );
  for (;;) {
    const rows = await owner.query<{ key: Key }>(`FETCH ${count} FROM ${CURSOR}`);
    if (rows.length > 0) yield rows.map(({ key }) => key);
    if (rows.length < count) break;
  }
  await owner.query(`CLOSE ${CURSOR}`);
}

/** Notes rows as if they had changed, so that they are copied again. */
export async function noteKeys(
  owner: Owner,
  { name }: MovedTable,
  merchantId: string,
  keys: readonly Key[],
): Promise<void> {
  await owner.query(
    "INSERT INTO merchant_move_change (merchant, table_name, key) SELECT $1, $2, unnest($3::jsonb[])",
    merchantId,
    name,
    keys,
  );
}

/** Deletes the notes about the merchant. In a transaction with one snapshot, those that it sees: later ones stay. */
export async function forgetChanges(owner: Owner, merchantId: string): Promise<void> {
  await owner.query("DELETE FROM merchant_move_change WHERE merchant = $1", merchantId);
}
