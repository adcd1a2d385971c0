// Telling schema.prisma from the database: the SQL Prisma itself would write, and a catalogue's shape as text.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import * as engine from "@prisma/schema-engine-wasm/schema_engine_bg";
import type { Client, Pool } from "pg";

const SCHEMA = new URL("../../../prisma/schema.prisma", import.meta.url);
const ENGINE_CODE = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg");

/** Prisma's native engine would be downloaded; its WebAssembly twin is a package, but has to be started by hand. */
async function startEngine(): Promise<void> {
  const bytes = new Uint8Array(await readFile(ENGINE_CODE.replace(/\.js$/, ".wasm")));
  const { instance } = await WebAssembly.instantiate(bytes, { "./schema_engine_bg.js": { ...engine } });
  engine.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
}

/** The SQL that makes an empty database into what schema.prisma describes. `pool` serves only to tell the dialect. */
export async function printPrismaSql(pool: Pool): Promise<string> {
  await startEngine();
  const content = await readFile(SCHEMA, "utf8");
  const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPg(pool));
  const files = [{ path: "schema.prisma", content }];
  const options: engine.ConstructorOptions = { datamodels: [["schema.prisma", content]] };
  const schemaEngine = await engine.SchemaEngine.new(options, () => undefined, adapter);
  const { stdout } = await schemaEngine.diff({
    from: { tag: "empty" },
    to: { tag: "schemaDatamodel", files },
    script: true,
    exitCode: null,
    filters: { externalTables: [], externalEnums: [] },
  });
  if (!stdout) throw new Error("Prisma printed no SQL for schema.prisma");
  return stdout;
}

/** Every column with its type, nullability and default; every index and foreign key, by name. Partitions have those of their table. */
const CATALOGUE = `
SELECT c.relname || '.' || a.attname AS name,
       format_type(a.atttypid, a.atttypmod) || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END
         || coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), '') AS definition
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped
  AND c.relname <> '_prisma_migrations'
UNION ALL
SELECT c.relname, replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') || CASE WHEN i.indisprimary THEN ' PRIMARY KEY' ELSE '' END
FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
WHERE c.relnamespace = 'public'::regnamespace AND NOT c.relispartition
  AND i.indrelid <> coalesce(to_regclass('public._prisma_migrations'), 0)
  AND i.indrelid NOT IN (SELECT oid FROM pg_class WHERE relispartition)
UNION ALL
SELECT conname, conrelid::regclass || ' ' || pg_get_constraintdef(oid)
FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype = 'f' AND conparentid = 0`;

/** Name → definition of all that Prisma knows of a database. */
export async function readCatalogue(client: Client): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ name: string; definition: string }>(CATALOGUE);
  return new Map(rows.map(({ name, definition }) => [name, definition]));
}
