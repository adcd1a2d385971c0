// Rows of a merchant on their way from one cell to the other: as the text of whole rows, which is exact for every type.
import { validationError } from "@/server/domain/errors";
import { isArriving } from "./fences";
import { requireClosed } from "./handover";
import { type Owner, transact, WITHOUT_TRIGGERS } from "./owner";
import { readFilesOf, storeFilesOf } from "./settlement-files";
import {
  belongsToMerchant,
  byKey,
  digestOf,
  followsKey,
  hasKey,
  isOfMerchant,
  isUnneeded,
  keyOf,
  type MovedTable,
} from "./shape";

/** A key of a table as JSON text. */
export type Key = string;

/** Some rows of a table in the order of their keys. */
export interface Page {
  readonly keys: readonly Key[];
  /** The rows' text, or their digests. */
  readonly rows: readonly string[];
}

/** What is read of each row beside its key: its text, a digest of it, or nothing. */
type Part = "text" | "digest" | "key";

function partOf(table: MovedTable, part: Part): string {
  return { text: "t::text", digest: digestOf(table), key: "NULL" }[part];
}

/** Reads up to `count` rows of the merchant behind a key, from the first row if it is null. */
export async function readPage(
  owner: Owner,
  table: MovedTable,
  merchantId: string,
  part: Part,
  after: Key | null,
  count: number,
): Promise<Page> {
  const select = `SELECT ${keyOf(table)}::text AS key, ${partOf(table, part)} AS row FROM ${table.name} t
    WHERE ${isOfMerchant(table)}`;
  const order = `ORDER BY ${byKey(table)} LIMIT ${count}`;
  if (after === null) return pageOf(await owner.query(`${select} ${order}`, merchantId));
  return pageOf(await owner.query(`${select} AND ${followsKey(table, "$2::jsonb")} ${order}`, merchantId, after));
}

/** Reads the merchant's rows of those keys, as they are now. */
export async function readRows(
  owner: Owner,
  table: MovedTable,
  merchantId: string,
  part: Part,
  keys: readonly Key[],
): Promise<Page> {
  const rows = await owner.query<KeyedRow>(
    `SELECT ${keyOf(table)}::text AS key, ${partOf(table, part)} AS row
     FROM unnest($2::jsonb[]) AS k(key) JOIN ${table.name} t ON ${hasKey(table, "k.key")}
     WHERE ${belongsToMerchant(table)}`,
    merchantId,
    keys,
  );
  return pageOf(rows);
}

interface KeyedRow {
  readonly key: Key;
  readonly row: string;
}

const pageOf = (rows: readonly KeyedRow[]): Page => ({
  keys: rows.map(({ key }) => key),
  rows: rows.map(({ row }) => row),
});

/**
 * Replaces the merchant's rows of those keys by rows of the other cell, in one transaction. Throws validation_failed unless a copy
 * of the merchant arrives.
 */
export async function replaceRows(
  { from, to }: { readonly from: Owner; readonly to: Owner },
  table: MovedTable,
  merchantId: string,
  keys: readonly Key[],
  rows: readonly string[],
): Promise<void> {
  const files = table.name === "settlement_line" ? await readFilesOf(from, rows) : [];
  await transact(to, WITHOUT_TRIGGERS, async () => {
    if (!(await isArriving(to, merchantId)))
      throw validationError("the merchant", `does not arrive in ${to.cell.name}, so its rows there are not replaced`);
    await to.query(deletion(table), merchantId, keys);
    if (table.name === "settlement_line") await to.query(deletionOfNobodys(table), keys);
    await to.query(`INSERT INTO ${table.name} SELECT * FROM unnest($1::text[]::${table.name}[])`, rows);
    if (files.length > 0) await storeFilesOf(to, files, rows);
  });
}

const deletion = (table: MovedTable): string =>
  `DELETE FROM ${table.name} t USING unnest($2::jsonb[]) AS k(key) WHERE ${hasKey(table, "k.key")} AND ${belongsToMerchant(table)}`;

/** A line is stored once: what was nobody's here, when its intent was not known yet, is the merchant's now. */
const deletionOfNobodys = (table: MovedTable): string =>
  `DELETE FROM ${table.name} t USING unnest($1::jsonb[]) AS k(key)
   WHERE ${hasKey(table, "k.key")} AND t.${table.merchantColumn} IS NULL AND t.verdict IN ('missing_internal', 'duplicate')`;

/** Deletes the merchant's rows of those keys. Throws validation_failed if it is open in the cell: its rows there are no copy. */
export async function deleteRows(
  owner: Owner,
  table: MovedTable,
  merchantId: string,
  keys: readonly Key[],
): Promise<void> {
  await transact(owner, WITHOUT_TRIGGERS, async () => {
    await requireClosed(owner, merchantId);
    await owner.query(deletion(table), merchantId, keys);
  });
}

/**
 * Deletes all rows of the merchant in one transaction, which `confirm` may still stop by throwing: a cell has all of them or none.
 * Only files stay that lines of others name. Throws validation_failed if it is open in the cell.
 */
export async function deleteAllRows(
  owner: Owner,
  tables: readonly MovedTable[],
  merchantId: string,
  confirm: () => Promise<void>,
): Promise<void> {
  // However many there are.
  await transact(owner, `${WITHOUT_TRIGGERS}; SET LOCAL statement_timeout = 0`, async () => {
    await requireClosed(owner, merchantId);
    for (const table of tables)
      await owner.query(
        `DELETE FROM ${table.name} t WHERE ${isOfMerchant(table)} AND ${isUnneeded(table)}`,
        merchantId,
      );
    await confirm();
  });
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
                       WHERE ${hasKey(table, "k.key")} AND ${belongsToMerchant(table)} AND ${digestOf(table)} = k.digest)`,
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
     WHERE ${belongsToMerchant(table)}`,
    merchantId,
    keys,
  );
  return row?.count ?? 0;
}
