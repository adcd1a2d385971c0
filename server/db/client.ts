// The process's connections: one pool, Prisma over it for what is rare, hand-written statements past it.
import { PrismaPg } from "@prisma/adapter-pg";
import type { Pool } from "pg";
import { clockAgeMs, noteDatabaseTime } from "@/server/platform/clock";
import { env } from "@/server/platform/env";
import { log } from "@/server/platform/log";
import { PrismaClient } from "./generated/client";
import { ACQUIRE_TIMEOUT_MS, createPool, type PoolSettings, runStatement, statementName } from "./pool";

/**
 * A statement of a request has its connection and its answer, or has failed, within this many ms: the caller's 503 is due
 * after 5 s. The server's own statement_timeout is shorter.
 */
export const STATEMENT_WITHIN_MS = 4_000;
/** Reports read whole tables; the longest statement that one of them allows itself takes 300 s. */
const REPORTS_END_WITHIN_MS = 310_000;
const REPORT_CONNECTIONS = 2;

/** The database is asked for its time this often while statements run; a time older than the second is waited for. */
const TIME_IS_FRESH_MS = 5_000;
const TIME_IS_STALE_MS = 60_000;
const QUICK_ANSWER_MS = 20;

/** A pool, and Prisma over it: the two share its connections. */
interface Connection {
  readonly pool: Pool;
  readonly prisma: PrismaClient;
}

/** Next's bundles and the custom server are separate module graphs; they share what hangs on globalThis. */
const shared = globalThis as typeof globalThis & { sluiceRequests?: Connection; sluiceReports?: Connection };

function connect(settings: PoolSettings): Connection {
  const { databaseUrl } = env();
  if (!databaseUrl) throw new Error("no database: set DATABASE_URL, or start the embedded Postgres first");
  const pool = createPool(databaseUrl, settings);
  const adapter = new PrismaPg(pool, {
    statementNameGenerator: ({ sql }) => statementName(sql),
    onConnectionError: (error) => log().warn({ error: error.message }, "a database connection broke"),
  });
  // As long as the pool itself waits for a connection, and for the same reason.
  const transactionOptions = { maxWait: ACQUIRE_TIMEOUT_MS + 1_000 };
  return { pool, prisma: new PrismaClient({ adapter, errorFormat: "minimal", transactionOptions }) };
}

function requests(): Connection {
  shared.sluiceRequests ??= connect({
    max: env().databasePoolSize,
    statementEndsWithinMs: STATEMENT_WITHIN_MS,
  });
  return shared.sluiceRequests;
}

/** The process's Prisma client. */
export function prisma(): PrismaClient {
  return requests().prisma;
}

/** The process's connections, for a library that brings its own statements. */
export function pool(): Pool {
  return requests().pool;
}

/** The client for reports at the command line, whose statements may take minutes. */
export function reports(): PrismaClient {
  shared.sluiceReports ??= connect({ max: REPORT_CONNECTIONS, statementEndsWithinMs: REPORTS_END_WITHIN_MS });
  return shared.sluiceReports.prisma;
}

/** Closes the pools; used when a process ends. */
export async function disconnect(): Promise<void> {
  const open = [shared.sluiceRequests, shared.sluiceReports];
  delete shared.sluiceRequests;
  delete shared.sluiceReports;
  for (const connection of open) {
    await connection?.prisma.$disconnect();
    await connection?.pool.end();
  }
}

/** Reads the database clock for platform/clock; repeats a slow read once, as on a new connection. */
async function syncClock(asks = 2): Promise<void> {
  const sentAt = performance.now();
  const sql = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS epoch_ms";
  const [row] = await runStatement<{ epoch_ms: number }>(requests().pool, sql, [], STATEMENT_WITHIN_MS);
  const answeredAt = performance.now();
  if (row) noteDatabaseTime(row.epoch_ms, sentAt, answeredAt);
  if (asks > 1 && answeredAt - sentAt > QUICK_ANSWER_MS) await syncClock(asks - 1);
}

let syncing: Promise<void> | null = null;

/** Beside a statement, so that requests do not wait for it; only the first, or one after a long silence, does. */
function keepTime(): Promise<void> | null {
  const age = clockAgeMs();
  if (age < TIME_IS_FRESH_MS) return null;
  // A database that does not answer fails the statement too, and that is the failure to report.
  syncing ??= syncClock()
    .catch(() => {})
    .finally(() => {
      syncing = null;
    });
  return age > TIME_IS_STALE_MS ? syncing : null;
}

/** Runs one hand-written statement, past Prisma's engine (docs/decisions/0014). `sql` is always a constant of this layer; values travel as parameters only. */
export async function query<Row>(sql: string, ...values: unknown[]): Promise<Row[]> {
  const startedAt = performance.now();
  const waiting = keepTime();
  if (waiting) await waiting;
  return runStatement<Row>(requests().pool, sql, values, STATEMENT_WITHIN_MS - (performance.now() - startedAt));
}

/** True when the database answers; used by the readiness probe. */
export async function isDatabaseReachable(): Promise<boolean> {
  try {
    await query("SELECT 1");
    return true;
  } catch {
    return false;
  }
}
