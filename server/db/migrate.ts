// Applies prisma/migrations to a database and records them exactly as Prisma does.
import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Client } from "pg";
import { connectWhenReady } from "./first-connection";
import { RESTRICTED_ROLE } from "./reach-client";

const MIGRATIONS = fileURLToPath(new URL("../../prisma/migrations/", import.meta.url));
const RESTRICTED_ROLE_FILE = new URL("../../prisma/app-role.sql", import.meta.url);

/** The number Prisma itself locks, so that its command line and a starting service exclude each other. */
const PRISMA_ADVISORY_LOCK = 72_707_369;

/** Requests wait behind a migration that waits for a lock; they give up after 2 s themselves. */
const LOCK_TIMEOUT_MS = 1_000;
/** Lets queries that waited behind a try finish before the next. */
const LOCK_PAUSE_MS = 3_000;
/** About five minutes. */
const LOCK_TRIES = 75;
/** Postgres's code for a lock that was not granted in time. */
const LOCK_NOT_AVAILABLE = "55P03";

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

interface MigrationRecord {
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

const LOCK = "SELECT pg_advisory_xact_lock($1)";

/**
 * Runs the work in a transaction that holds the lock of migrations. The lock belongs to the transaction and not to the
 * session, because behind a connection pooler each transaction may be in another session.
 */
async function locked<Result>(client: Client, work: () => Promise<Result>): Promise<Result> {
  await client.query("BEGIN");
  try {
    await client.query(LOCK, [PRISMA_ADVISORY_LOCK]);
    const result = await work();
    await client.query("COMMIT");
    return result;
  } catch (error) {
    // A connection that has broken has rolled back.
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

/** Asked first: a role that may not create tables can start the service on a database that lacks nothing. */
async function createRecord(client: Client): Promise<void> {
  const { rows } = await client.query<{ missing: boolean }>(
    `SELECT to_regclass('"_prisma_migrations"') IS NULL AS missing`,
  );
  if (rows[0]?.missing) await client.query(CREATE_RECORD);
}

/** Migrations that are recorded but not known here belong to newer code, beside which this one may run. */
function assertAgreement(migrations: readonly Migration[], recorded: readonly MigrationRecord[]): void {
  for (const { migration_name, checksum, finished_at } of recorded) {
    const known = migrations.find((migration) => migration.name === migration_name);
    if (finished_at === null)
      throw new Error(
        `migration ${migration_name} was started but not finished: repair it with "prisma migrate resolve"`,
      );
    if (known && known.checksum !== checksum)
      throw new Error(`migration ${migration_name} was changed after this database had applied it`);
  }
}

/**
 * Applies the first migration that the database lacks and returns its name; null if it lacks none. A statement that waits for a table lock makes every later query of the table wait behind it, so each
 * try waits briefly, and the queries pass between the tries.
 */
async function applyNext(client: Client, migrations: readonly Migration[], tries: number): Promise<string | null> {
  for (let left = tries - 1; ; left -= 1) {
    let migration: Migration | undefined;
    try {
      return await locked(client, async () => {
        migration = await firstMissing(client, migrations);
        if (migration) await applyWithin(client, migration);
        return migration?.name ?? null;
      });
    } catch (cause) {
      if (!migration) throw cause;
      const { name } = migration;
      if ((cause as { code?: string }).code !== LOCK_NOT_AVAILABLE)
        throw new Error(`migration ${name} failed and was undone: ${(cause as Error).message}`, { cause });
      if (left <= 0) {
        const holders = await describeLockHolders(client);
        const message = `migration ${name} was not applied: it could not lock its tables in ${tries} tries.\n${holders}`;
        throw new Error(message, { cause });
      }
    }
    await sleep(LOCK_PAUSE_MS);
  }
}

/** Returns the first migration that the database lacks. Throws if an applied one was changed or not finished. */
async function firstMissing(client: Client, migrations: readonly Migration[]): Promise<Migration | undefined> {
  await createRecord(client);
  const { rows } = await client.query<MigrationRecord>(
    `SELECT "migration_name", "checksum", "finished_at" FROM "_prisma_migrations" WHERE "rolled_back_at" IS NULL`,
  );
  assertAgreement(migrations, rows);
  const applied = new Set(rows.map(({ migration_name }) => migration_name));
  return migrations.find(({ name }) => !applied.has(name));
}

/** Applies the migration whole; throws the database's error if it could not lock a table in time. */
async function applyWithin(client: Client, { name, sql, checksum }: Migration): Promise<void> {
  const startedAt = new Date();
  await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT_MS}ms'`);
  await client.query(sql);
  await client.query(INSERT_RECORD, [randomUUID(), checksum, name, startedAt]);
}

/** The oldest transactions with locks on the database's tables: one of them is in the way. */
const LOCK_HOLDERS = `
  SELECT a.pid, a.application_name AS application, a.usename AS role,
         string_agg(DISTINCT c.relname, ', ' ORDER BY c.relname) AS tables
  FROM pg_locks l
  JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()
  JOIN pg_class c ON c.oid = l.relation AND c.relkind IN ('r', 'p') AND c.relnamespace = current_schema()::text::regnamespace
  JOIN pg_stat_activity a ON a.pid = l.pid
  WHERE l.granted AND l.pid <> pg_backend_pid()
  GROUP BY a.pid, a.application_name, a.usename, a.xact_start
  ORDER BY a.xact_start NULLS LAST LIMIT 3`;

async function describeLockHolders(client: Client): Promise<string> {
  const { rows } = await client.query<{ pid: number; application: string; role: string; tables: string }>(LOCK_HOLDERS);
  if (rows.length === 0) return "No session holds a lock now: start again.";
  const sessions = rows.map(
    ({ pid, application, role, tables }) => `session ${pid} (${application || "unnamed"}, role ${role}) uses ${tables}`,
  );
  return `The oldest transactions with table locks: ${sessions.join("; ")}. Wait until they end, or end them, and start again.`;
}

const LACKS_GRANTS = `
  SELECT pg_has_role(c.relowner, 'MEMBER') AND NOT EXISTS (
    SELECT FROM pg_roles WHERE rolname = '${RESTRICTED_ROLE}' AND has_table_privilege(oid, c.oid, 'SELECT')
  ) AS lacks
  FROM pg_class c WHERE c.oid = to_regclass('installation')`;

/** The user may neither create roles nor change them: the operator runs prisma/app-role.sql. */
const INSUFFICIENT_PRIVILEGE = "42501";

/** Creates the role that the service's statements run as, if it is missing, and grants it what it needs of each table. */
async function grantToRestrictedRole(client: Client, hasNewTables: boolean): Promise<void> {
  const sql = await readFile(RESTRICTED_ROLE_FILE, "utf8");
  try {
    await locked(client, async () => {
      const { rows } = await client.query<{ lacks: boolean }>(LACKS_GRANTS);
      if (hasNewTables || rows[0]?.lacks === true) await client.query(sql);
    });
  } catch (error) {
    if ((error as { code?: string }).code !== INSUFFICIENT_PRIVILEGE) throw error;
  }
}

/**
 * Applies what a database lacks, in order, each migration whole or not at all; any number of processes may call it at
 * once. Returns the names applied. Throws when an applied migration was changed since, when one fails, and when another session
 * held a lock that one needs through all of `lockTries`.
 */
export async function migrate(
  databaseUrl: string,
  folder = MIGRATIONS,
  lockTries = LOCK_TRIES,
): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(folder);
  const client = await connectWhenReady(databaseUrl);
  const applied: string[] = [];
  try {
    for (;;) {
      const name = await applyNext(client, migrations, lockTries);
      if (name === null) break;
      applied.push(name);
    }
    if (folder === MIGRATIONS) await grantToRestrictedRole(client, applied.length > 0);
    return { applied };
  } finally {
    await client.end();
  }
}
