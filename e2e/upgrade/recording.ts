// A recorded database of an earlier release: its rows, its API's answers, and how to load it into an empty database.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { Client } from "pg";
import type { Line } from "../support/fake-psp/record";

const MIGRATIONS = fileURLToPath(new URL("../../prisma/migrations/", import.meta.url));

/** A read that the release's API answered with 200. */
export interface RecordedAnswer {
  /** The header that presented the merchant's key. */
  readonly authorization: string;
  /** With its query. */
  readonly path: string;
  readonly body: unknown;
}

/** A creation with its Idempotency-Key, and its answer with 201. */
export interface RecordedCreation extends RecordedAnswer {
  readonly key: string;
  readonly request: string;
}

interface Description {
  /** The release's commit. */
  readonly commit: string;
  readonly recordedAt: string;
  /** As in SLUICE_SECRETS. */
  readonly secrets: string;
  readonly answers: readonly RecordedAnswer[];
  readonly creation: RecordedCreation;
  /** What each provider did, by its name, in order. */
  readonly providers: Readonly<Record<string, readonly Line[]>>;
}

export interface Recording extends Description {
  /** The table's name, a tab, and the row as JSON exactly as Postgres wrote it. */
  readonly rows: readonly string[];
}

export function packRecording({ rows, ...description }: Recording): Buffer {
  return gzipSync([JSON.stringify(description), ...rows].join("\n"), { level: 9 });
}

export function readRecording(path: string): Recording {
  const [description = "", ...rows] = gunzipSync(readFileSync(path)).toString("utf8").split("\n");
  return { ...(JSON.parse(description) as Description), rows };
}

/** Rows by table. They are never parsed, so amounts and digests stay exact. */
function rowsByTable(rows: readonly string[]): Map<string, string[]> {
  const tables = new Map<string, string[]>();
  for (const line of rows) {
    const end = line.indexOf("\t");
    const table = line.slice(0, end);
    const known = tables.get(table) ?? [];
    known.push(line.slice(end + 1));
    tables.set(table, known);
  }
  return tables;
}

/** The SQL of the migrations that the release had applied, in order. Throws if a file has changed since. */
function schemaOf(records: readonly string[]): string[] {
  const applied = records.map((row) => JSON.parse(row) as { migration_name: string; checksum: string });
  return applied
    .toSorted((a, b) => (a.migration_name < b.migration_name ? -1 : 1))
    .map(({ migration_name, checksum }) => {
      const bytes = readFileSync(`${MIGRATIONS}${migration_name}/migration.sql`);
      if (createHash("sha256").update(bytes).digest("hex") !== checksum)
        throw new Error(`${migration_name} was changed`);
      return bytes.toString("utf8");
    });
}

const MIGRATION_RECORDS = "_prisma_migrations";
/** The same as Prisma creates. */
const CREATE_MIGRATION_RECORDS = `CREATE TABLE "${MIGRATION_RECORDS}" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL, "checksum" VARCHAR(64) NOT NULL, "finished_at" TIMESTAMPTZ,
  "migration_name" VARCHAR(255) NOT NULL, "logs" TEXT, "rolled_back_at" TIMESTAMPTZ,
  "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(), "applied_steps_count" INTEGER NOT NULL DEFAULT 0)`;

/** Creates the schema and rows of a recording in an empty database. The role must be a superuser. */
export async function loadRecording(databaseUrl: string, { rows }: Recording): Promise<void> {
  const tables = rowsByTable(rows);
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(CREATE_MIGRATION_RECORDS);
    for (const sql of schemaOf(tables.get(MIGRATION_RECORDS) ?? [])) await client.query(sql);
    // Rows are restored verbatim: triggers would treat them as changes.
    await client.query("SET session_replication_role = replica");
    for (const [table, lines] of tables) {
      await client.query(`DELETE FROM "${table}"`);
      const sql = `INSERT INTO "${table}" SELECT * FROM json_populate_recordset(NULL::"${table}", $1)`;
      await client.query(sql, [`[${lines.join(",")}]`]);
    }
  } finally {
    await client.end();
  }
}
