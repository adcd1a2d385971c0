// The shape of the tables that move, read from the catalog, and the parts of statements that follow from it.

import type { Owner } from "./owner";
import { MOVED_TABLES, STAYING_TABLES } from "./tables";

interface KeyColumn {
  readonly name: string;
  /** As SQL writes it, such as `text`, with a collation of its own. */
  readonly type: string;
}

/** A table whose rows move. */
export interface MovedTable {
  readonly name: string;
  /** The column that says whose a row is. */
  readonly merchantColumn: string;
  /** The primary key, in its order. */
  readonly key: readonly KeyColumn[];
  /** All columns with their types: rows travel by position. */
  readonly columns: string;
}

const SHAPES = `
  SELECT c.relname::text AS name,
         (SELECT json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)
                   || coalesce(' COLLATE ' || quote_ident(o.collname), '')) ORDER BY k.place)
          FROM pg_index i, unnest(i.indkey) WITH ORDINALITY AS k(attnum, place)
          JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum
          LEFT JOIN pg_collation o ON o.oid = a.attcollation AND o.collname <> 'default'
          WHERE i.indrelid = c.oid AND i.indisprimary) AS key,
         (SELECT string_agg(format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod)), ', ' ORDER BY a.attnum)
          FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns
  FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname = ANY ($1)
  ORDER BY c.relname COLLATE "C"`;

/** The tables that move, in the order of their names. */
export async function readMovedTables(owner: Owner): Promise<MovedTable[]> {
  const rows = await owner.query<Omit<MovedTable, "merchantColumn">>(SHAPES, Object.keys(MOVED_TABLES));
  return rows.map((row) => ({ ...row, merchantColumn: MOVED_TABLES[row.name] ?? "merchant_id" }));
}

/** Returns the tables of a later release that have rows of merchants. A move by this release would leave those rows behind. */
export async function findUnknownTables(owner: Owner): Promise<string[]> {
  const rows = await owner.query<{ name: string }>(
    `SELECT c.relname::text AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'merchant_id'
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND NOT a.attisdropped AND c.relname <> ALL ($1) ORDER BY 1`,
    [...Object.keys(MOVED_TABLES), ...Object.keys(STAYING_TABLES)],
  );
  return rows.map(({ name }) => name);
}

/** The tables whose columns differ in the two cells: their rows could not travel. */
export function differingTables(ours: readonly MovedTable[], theirs: readonly MovedTable[]): string[] {
  const shapes = new Map(theirs.map(({ name, columns }) => [name, columns]));
  return ours.filter(({ name, columns }) => shapes.get(name) !== columns).map(({ name }) => name);
}

/** Whose the row `t` is: `$1` is the merchant. For reading along the primary key. */
export const isOfMerchant = ({ merchantColumn }: MovedTable): string => `t.${merchantColumn} = $1`;

/**
 * The same beside `hasKey`, as the planner takes it for true of half of all rows. It would believe that an arriving merchant has no
 * rows, until the table's statistics say otherwise, and so compare each of them with all keys.
 */
export const belongsToMerchant = (table: MovedTable): string =>
  `CASE WHEN ${isOfMerchant(table)} THEN true ELSE false END`;

/**
 * Whether the row `t` may go when the merchant has: a file stays while lines of others name it, such as one that the operator's import
 * has made nobody's again. All lines are read once, not once for each file.
 */
export function isUnneeded({ name }: MovedTable): string {
  if (name !== "settlement_file") return "true";
  return `(t.provider, t.id) NOT IN (
    SELECT l.provider, l.file_id FROM settlement_line l JOIN settlement_file f ON (f.provider, f.id) = (l.provider, l.file_id)
    WHERE f.uploaded_for = $1 AND l.merchant_id IS DISTINCT FROM $1)`;
}

/** The key of the row `t` as JSON. */
export function keyOf({ key }: MovedTable): string {
  return `jsonb_build_object(${key.map(({ name }) => `'${name}', t.${name}`).join(", ")})`;
}

const keyColumns = ({ key }: MovedTable): string => key.map(({ name }) => `t.${name}`).join(", ");

/** The values of a key that is JSON, in the types of the columns. */
function keyValues({ key }: MovedTable, json: string): string {
  return key.map(({ name, type }) => `(${json} ->> '${name}')::${type}`).join(", ");
}

/** The order of the key. */
export const byKey = (table: MovedTable): string => keyColumns(table);

/** Whether the row `t` has the key that is JSON. */
export const hasKey = (table: MovedTable, json: string): string =>
  `(${keyColumns(table)}) = (${keyValues(table, json)})`;

/** Whether the row `t` follows the key that is JSON, in the order of keys. */
export const followsKey = (table: MovedTable, json: string): string =>
  `(${keyColumns(table)}) > (${keyValues(table, json)})`;

/** What the row `t` says, as a digest. Of a line of a file only the file's id differs between cells. */
export function digestOf({ name }: MovedTable): string {
  return name === "settlement_line" ? "md5((to_jsonb(t) - 'file_id')::text)" : "md5(t::text)";
}
