// Owns bringing a database to the shape of prisma/migrations, and keeping the record of it exactly as Prisma does.
import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client } from "pg";

const MIGRATIONS = fileURLToPath(new URL("../../prisma/migrations/", import.meta.url));

/** The number Prisma itself locks, so that its command line and a starting service exclude each other. */
const PRISMA_ADVISORY_LOCK = 72_707_369;

const REACHABLE_WITHIN_MS = 15_000;
const RETRY_PAUSE_MS = 250;
/** The address refuses, is not known yet, or Postgres says it is still starting. */
const NOT_YET_THERE: ReadonlySet<string> = new Set(["ECONNREFUSED", "EAI_AGAIN", "ENOTFOUND", "57P03"]);

const CREATE_RECORD = `
CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL,
  "checksum" VARCHAR(64) NOT NULL,
  "finished_at" TIMESTAMPTZ,
  "migration_name" VARCHAR(255) NOT NULL,
  "logs" TEXT,
  "rolled_back_at" TIMESTAMPTZ,
  "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
  "applied_steps_count" INTEGER NOT NULL DEFAULT 0
)`;

const INSERT_RECORD = `
INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "started_at", "finished_at", "applied_steps_count")
VALUES ($1, $2, $3, $4, clock_timestamp(), 1)`;

interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

interface Recorded {
  readonly migration_name: string;
  readonly checksum: string;
  readonly finished_at: Date | null;
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const bytes = await readFile(`${folder}/${name}/migration.sql`);
      return { name, sql: bytes.toString("utf8"), checksum: createHash("sha256").update(bytes).digest("hex") };
    }),
  );
}

/** Asked first: a role that may not create tables can start the service on a database that lacks nothing. */
async function createRecord(client: Client): Promise<void> {
  const { rows } = await client.query<{ missing: boolean }>(
    `SELECT to_regclass('"_prisma_migrations"') IS NULL AS missing`,
  );
  if (rows[0]?.missing) await client.query(CREATE_RECORD);
}

/** Migrations that are recorded but not known here belong to newer code, beside which this one may run. */
function assertAgreement(migrations: readonly Migration[], recorded: readonly Recorded[]): void {
  for (const { migration_name, checksum, finished_at } of recorded) {
    const known = migrations.find((migration) => migration.name === migration_name);
    if (finished_at === null)
      throw new Error(
        `migration ${migration_name} was begun and not finished: repair it with "prisma migrate resolve"`,
      );
    if (known && known.checksum !== checksum)
      throw new Error(`migration ${migration_name} was changed after this database had applied it`);
  }
}

async function apply(client: Client, { name, sql, checksum }: Migration): Promise<void> {
  const startedAt = new Date();
  await client.query("BEGIN");
  try {
    await client.query(sql);
    await client.query(INSERT_RECORD, [randomUUID(), checksum, name, startedAt]);
    await client.query("COMMIT");
  } catch (cause) {
    await client.query("ROLLBACK");
    throw new Error(`migration ${name} failed and was undone: ${(cause as Error).message}`, { cause });
  }
}

/** A database that is started together with the service may take a moment longer to accept connections. */
async function connect(databaseUrl: string): Promise<Client> {
  for (const end = Date.now() + REACHABLE_WITHIN_MS; ; await sleep(RETRY_PAUSE_MS)) {
    const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: REACHABLE_WITHIN_MS });
    // A connection that breaks rejects the query under way; without a listener it would also end the process.
    client.on("error", () => undefined);
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (!NOT_YET_THERE.has((error as { code?: string }).code ?? "") || Date.now() > end) throw error;
    }
  }
}

/**
 * Applies what a database lacks, in order, each migration whole or not at all; any number of processes may call it at
 * once. Gives the names applied. Throws when an applied migration was changed since, or one fails.
 */
export async function migrate(databaseUrl: string, folder = MIGRATIONS): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(folder);
  const client = await connect(databaseUrl);
  try {
    await client.query("SELECT pg_advisory_lock($1)", [PRISMA_ADVISORY_LOCK]);
    await createRecord(client);
    const { rows } = await client.query<Recorded>(
      `SELECT "migration_name", "checksum", "finished_at" FROM "_prisma_migrations" WHERE "rolled_back_at" IS NULL`,
    );
    assertAgreement(migrations, rows);
    const missing = migrations.filter(({ name }) => !rows.some((row) => row.migration_name === name));
    for (const migration of missing) await apply(client, migration);
    return { applied: missing.map(({ name }) => name) };
  } finally {
    await client.end();
  }
}
