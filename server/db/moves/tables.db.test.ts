// Somebody has said of every table how it moves.
import { expect, it } from "vitest";
import { query } from "../client";
import { MOVED_TABLES, STAYING_TABLES } from "./tables";

interface Table {
  readonly name: string;
  readonly has_merchant: boolean;
  readonly has_key: boolean;
  readonly is_generated: boolean;
}

const TABLES = `
  SELECT c.relname::text AS name,
         EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'merchant_id' AND NOT a.attisdropped)
           AS has_merchant,
         EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary) AS has_key,
         EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
                   AND (a.attgenerated <> '' OR a.attidentity <> '')) AS is_generated
  FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  ORDER BY c.relname COLLATE "C"`;

it("every table of the database moves with its merchant, or stays for a reason", async () => {
  const tables = await query<Table>(TABLES);
  const said = [...Object.keys(MOVED_TABLES), ...Object.keys(STAYING_TABLES)];
  expect(said.toSorted()).toEqual(tables.map(({ name }) => name));
  expect(tables.filter(({ name, has_merchant }) => has_merchant && !(name in MOVED_TABLES))).toEqual([]);
});

it("every table that moves has a key, and no column that only the database fills", async () => {
  const tables = (await query<Table>(TABLES)).filter(({ name }) => name in MOVED_TABLES);
  expect(tables.filter(({ has_key, is_generated }) => !has_key || is_generated)).toEqual([]);
});
