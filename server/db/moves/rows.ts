// Rows of a merchant on their way from one cell to the other: as the text of whole rows, which is exact for every type.
import { type Owner, transact, WITHOUT_TRIGGERS } from "./owner";
import { readFilesOf, storeFilesOf } from "./settlement-files";
import { byKey, digestOf, followsKey, hasKey, isOfMerchant, keyOf, type MovedTable } from "./shape";

/** A key of a table as JSON text. */
export type Key = string;

/** Some rows of a table in the order of their keys. */
export interface Page {
  readonly keys: readonly Key[];
  /** The rows' text. */
  readonly rows: readonly string[];
}

/** Reads up to `count` rows of the merchant behind a key, from the first row if it is null. */
export async function readPage(
  owner: Owner,
  table: MovedTable,
  merchantId: string,
  after: Key | null,
  count: number,
): Promise<Page> {
  return pageOf(await readAfter(owner, table, merchantId, after, count, "t::text"));
}

/** The same with a digest of each row in place of its text. */
export async function readDigests(
  owner: Owner,
  table: MovedTable,
  merchantId: string,
  after: Key | null,
  count: number,
): Promise<Page> {
  return pageOf(await readAfter(owner, table, merchantId, after, count, digestOf(table)));
}

/** The keys alone. */
export async function readKeys(
  owner: Owner,
  table: MovedTable,
  merchantId: string,
  after: Key | null,
  count: number,
): Promise<readonly Key[]> {
  return pageOf(await readAfter(owner, table, merchantId, after, count, "NULL")).keys;
}

interface KeyedRow {
  readonly key: Key;
  readonly row: string;
}

function readAfter(
  owner: Owner,
  table: MovedTable,
  merchantId: string,
  after: Key | null,
  count: number,
  what: string,
): Promise<KeyedRow[]> {
  const select = `SELECT ${keyOf(table)}::text AS key, ${what} AS row FROM ${table.name} t WHERE ${isOfMerchant(table)}`;
  const order = `ORDER BY ${byKey(table)} LIMIT ${count}`;
  if (after === null) return owner.query(`${select} ${order}`, merchantId);
  return owner.query(`${select} AND ${followsKey(table, "$2::jsonb")} ${order}`, merchantId, after);
}

const pageOf = (rows: readonly KeyedRow[]): Page => ({
  keys: rows.map(({ key }) => key),
  rows: rows.map(({ row }) => row),
});

function readOf(
  owner: Owner,
  table: MovedTable,
  merchantId: string,
  keys: readonly Key[],
  what: string,
): Promise<KeyedRow[]> {
  return owner.query(
    `SELECT ${keyOf(table)}::text AS key, ${what} AS row
     FROM unnest($2::jsonb[]) AS k(key) JOIN ${table.name} t ON ${hasKey(table, "k.key")} WHERE ${isOfMerchant(table)}`,
    merchantId,
    keys,
  );
}

/** Reads the merchant's rows of those keys, as they are now. */
export async function readRows(
  owner: Owner,
  table: MovedTable,
  merchantId: string,
  keys: readonly Key[],
): Promise<Page> {
  return pageOf(await readOf(owner, table, merchantId, keys, "t::text"));
}

/** The same with a digest of each row in place of its text. */
export async function readDigestsOf(
  owner: Owner,
  table: MovedTable,
  merchantId: string,
  keys: readonly Key[],
): Promise<Page> {
  return pageOf(await readOf(owner, table, merchantId, keys, digestOf(table)));
}

/** Replaces the merchant's rows of those keys by rows of the other cell, in one transaction. */
export async function replaceRows(
  { from, to }: { readonly from: Owner; readonly to: Owner },
  table: MovedTable,
  merchantId: string,
  keys: readonly Key[],
  rows: readonly string[],
): Promise<void> {
  const files = table.name === "settlement_line" ? await readFilesOf(from, rows) : [];
  await transact(to, WITHOUT_TRIGGERS, async () => {
    await to.query(deletion(table), merchantId, keys);
    await to.query(`INSERT INTO ${table.name} SELECT * FROM unnest($1::text[]::${table.name}[])`, rows);
    if (files.length > 0) await storeFilesOf(to, files, rows);
  });
}

const deletion = (table: MovedTable): string =>
  `DELETE FROM ${table.name} t USING unnest($2::jsonb[]) AS k(key) WHERE ${hasKey(table, "k.key")} AND ${isOfMerchant(table)}`;

/** Deletes the merchant's rows of those keys. */
export async function deleteRows(
  owner: Owner,
  table: MovedTable,
  merchantId: string,
  keys: readonly Key[],
): Promise<void> {
  await transact(owner, WITHOUT_TRIGGERS, () => owner.query(deletion(table), merchantId, keys));
}

/** The keys whose rows are missing here, or say something else than the digests of the other cell. */
export async function findDiffering(
  owner: Owner,
  table: MovedTable,
  merchantId: string,
  { keys, rows: digests }: Page,
): Promise<Key[]> {
  const rows = await owner.query<{ key: Key }>(
    `SELECT k.key::text AS key FROM unnest($2::jsonb[], $3::text[]) AS k(key, digest)
     WHERE NOT EXISTS (SELECT FROM ${table.name} t
                       WHERE ${hasKey(table, "k.key")} AND ${isOfMerchant(table)} AND ${digestOf(table)} = k.digest)`,
    merchantId,
    keys,
    digests,
  );
  return rows.map(({ key }) => key);
}

/** How many of those keys have a row of the merchant here. */
export async function countKnown(
  owner: Owner,
  table: MovedTable,
  merchantId: string,
  keys: readonly Key[],
): Promise<number> {
  const [row] = await owner.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM unnest($2::jsonb[]) AS k(key) JOIN ${table.name} t ON ${hasKey(table, "k.key")}
     WHERE ${isOfMerchant(table)}`,
    merchantId,
    keys,
  );
  return row?.count ?? 0;
}
