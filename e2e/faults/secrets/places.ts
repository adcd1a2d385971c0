// The places that are searched: all rows of all tables, and all files of a folder.
import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import type { Form, Needles } from "./needles";

const ROWS_AT_ONCE = 2_000;
const CHUNK_BYTES = 1 << 20;
/** A service without one of its tables would be searched in vain. */
const LEAST_TABLES = 60;

/** What was found where. */
export interface Findings {
  /** Bytes that were searched. */
  bytes: number;
  /** Place, name and form of each hit. */
  readonly hits: Set<string>;
  /** Place and form of each hit of a control: a text that must be found. */
  readonly controls: Set<string>;
}

/** Names that begin so are controls. */
export const CONTROL = "control";

/** Returns empty findings. */
export function noFindings(): Findings {
  return { bytes: 0, hits: new Set(), controls: new Set() };
}

/** Returns a search through one text of a place; what it finds is added to the findings. `detail` names the text in a hit. */
export function searchOf(needles: Needles, findings: Findings, place: string, detail = ""): (piece: Buffer) => void {
  const search = needles.search(({ name, form }: { name: string; form: Form }) => {
    if (name.startsWith(CONTROL)) findings.controls.add(`${place}: ${name} ${form}`);
    else findings.hits.add(`${place}${detail}: ${name}, ${form}`);
  });
  return (piece) => {
    findings.bytes += piece.length;
    search(piece);
  };
}

/**
 * Searches every row of every table, as text, on one snapshot. bytea is hex in it, and no value is left out. Returns the number
 * of tables. Throws if there are fewer than the service has.
 */
export async function searchDatabase(url: string, needles: Needles, findings: Findings): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE c.relkind IN ('r', 'm') AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname !~ '^pg_toast'`,
    );
    if (tables.length < LEAST_TABLES) throw new Error(`the database has only ${tables.length} tables`);
    for (const { name } of tables) {
      const search = searchOf(needles, findings, "database", ` ${name}`);
      await client.query(`DECLARE pages NO SCROLL CURSOR FOR SELECT t::text AS line FROM ONLY ${name} t`);
      for (;;) {
        const { rows } = await client.query<{ line: string }>(`FETCH ${ROWS_AT_ONCE} FROM pages`);
        if (rows.length === 0) break;
        search(Buffer.from(rows.map(({ line }) => line).join("\n")));
      }
      await client.query("CLOSE pages");
    }
    await client.query("COMMIT");
    return tables.length;
  } finally {
    await client.end();
  }
}

/** Searches one file. */
export async function searchFile(path: string, needles: Needles, findings: Findings, place: string): Promise<void> {
  const search = searchOf(needles, findings, place, ` ${path}`);
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) search(chunk as Buffer);
}

/** Searches all files in the folder and below. A file that its owner removes meanwhile is left out. */
export async function searchFolder(
  folder: string,
  needles: Needles,
  findings: Findings,
  place: string,
): Promise<number> {
  const entries = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) => one.isFile());
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    await searchFile(path, needles, findings, place).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    });
  }
  return entries.length;
}
