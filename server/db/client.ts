// The process's two ways to Postgres (docs/decisions/0025): `prisma()` for simple rows of one table by its model API; `query`
// and `inTransaction` for everything with a guard, join, batch or transaction.
import { PrismaPg } from "@prisma/adapter-pg";
import type { Pool } from "pg";
import { clockAgeMs, noteDatabaseTime } from "@/server/platform/clock";
import { env } from "@/server/platform/env";
import { log } from "@/server/platform/log";
import { acrossMerchants } from "@/server/platform/reach";
import { retryOnLockConflict } from "./failures";
import { PrismaClient } from "./generated/client";
import { createPool, runStatement, statementName } from "./pool";
import { FOR_LONG_WORK, FOR_REPORTS, FOR_REQUESTS, type SessionSettings } from "./session-settings";
import { runTransaction, type Transaction } from "./transaction";

/**
 * A statement of a request has its connection and its answer, or has failed, within this many ms: the caller's 503 is due
 * after 5 s. The server's own statement_timeout is shorter.
 */
export const STATEMENT_WITHIN_MS = 4_000;
/** A transaction of a request ends within this many ms of its BEGIN. */
const TRANSACTION_WITHIN_MS = 5_000;
/** Reports and long work read whole tables; the server ends a statement of theirs after 5 minutes at most. */
const LONG_STATEMENT_WITHIN_MS = 310_000;
const LONG_WORK_WITHIN_MS = 30 * 60_000;
const LONG_WORK_CONNECTIONS = 2;

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
const shared = globalThis as typeof globalThis & {
  sluiceRequests?: Connection;
  sluiceLongWork?: Pool;
  sluiceReports?: Pool;
};

function databaseUrl(): string {
  const { databaseUrl: url } = env();
  if (!url) throw new Error("no database: set DATABASE_URL, or start the embedded Postgres first");
  return url;
}

function connect(): Connection {
  const { databasePoolSize: max, databaseStatements: statements } = env();
  const pool = createPool(databaseUrl(), {
    max,
    session: FOR_REQUESTS,
    statements,
    statementEndsWithinMs: STATEMENT_WITHIN_MS,
  });
  const adapter = new PrismaPg(pool, {
    statementNameGenerator: ({ sql }) => statementName(sql),
    onConnectionError: (error) => log().warn({ error: error.message }, "a database connection broke"),
  });
  return { pool, prisma: new PrismaClient({ adapter, errorFormat: "minimal" }) };
}

function requests(): Connection {
  shared.sluiceRequests ??= connect();
  return shared.sluiceRequests;
}

function longPool(session: SessionSettings): Pool {
  return createPool(databaseUrl(), {
    max: LONG_WORK_CONNECTIONS,
    session,
    statements: env().databaseStatements,
    statementEndsWithinMs: LONG_STATEMENT_WITHIN_MS,
  });
}

/** Connections of the command line, whose statements may take minutes. */
function longWork(): Pool {
  shared.sluiceLongWork ??= longPool(FOR_LONG_WORK);
  return shared.sluiceLongWork;
}

/** The same for reports, which write nothing. */
function reports(): Pool {
  shared.sluiceReports ??= longPool(FOR_REPORTS);
  return shared.sluiceReports;
}

/** The process's Prisma client, for simple rows of one table. */
export function prisma(): PrismaClient {
  return requests().prisma;
}

/** The process's connections, for a library that brings its own statements. */
export function pool(): Pool {
  return requests().pool;
}

/** Closes the pools; used when a process ends. */
export async function disconnect(): Promise<void> {
  const { sluiceRequests, sluiceLongWork, sluiceReports } = shared;
  delete shared.sluiceRequests;
  delete shared.sluiceLongWork;
  delete shared.sluiceReports;
  await sluiceRequests?.prisma.$disconnect();
  await sluiceRequests?.pool.end();
  await sluiceLongWork?.end();
  await sluiceReports?.end();
}

/** Reads the database clock for platform/clock; repeats a slow read once, as on a new connection. */
async function syncClock(asks = 2): Promise<void> {
  const sentAt = performance.now();
  const sql = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS epoch_ms";
  const ask = () => runStatement<{ epoch_ms: number }>(requests().pool, sql, [], STATEMENT_WITHIN_MS);
  const [row] = await acrossMerchants(ask);
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

/**
 * Runs one statement, which reaches the rows of the running work's merchant. `sql` is always a constant of this layer; values travel as parameters only. An int8 is read as bigint, a
 * timestamptz as Date. Throws the error of `pg`, which failures.ts classifies.
 */
export async function query<Row>(sql: string, ...values: unknown[]): Promise<Row[]> {
  const startedAt = performance.now();
  const waiting = keepTime();
  if (waiting) await waiting;
  return runStatement<Row>(requests().pool, sql, values, STATEMENT_WITHIN_MS - (performance.now() - startedAt));
}

/** The same for a statement that belongs to no single merchant: it reaches every row. */
export function queryAcrossMerchants<Row>(sql: string, ...values: unknown[]): Promise<Row[]> {
  return acrossMerchants(() => query<Row>(sql, ...values));
}

/**
 * Runs `work` in one transaction at READ COMMITTED, on a connection of its own, within 5 s. All statements of `work` go through
 * its argument: `query` would use another connection. Rolls back and rethrows if `work` throws. After a deadlock or a
 * serialization failure it runs `work` again in a new transaction, at most five times and within the same 5 s: `work` changes
 * nothing but the database. If COMMIT's answer is lost, the error is an outage and the outcome is unknown.
 */
export function inTransaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  return retryOnLockConflict(() => {
    const endsWithinMs = TRANSACTION_WITHIN_MS - (performance.now() - startedAt);
    const limits = { statementWithinMs: STATEMENT_WITHIN_MS, endsWithinMs };
    return runTransaction(requests().pool, { open: ["BEGIN"], ...limits }, work);
  });
}

const LONG_LIMITS = { statementWithinMs: LONG_STATEMENT_WITHIN_MS, endsWithinMs: LONG_WORK_WITHIN_MS };
const SNAPSHOT = ["BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"];

/** Runs a report on one read-only snapshot. It may read whole tables, waits for no row lock and locks no row. */
export function inSnapshot<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
  return runTransaction(reports(), { open: SNAPSHOT, ...LONG_LIMITS }, work);
}

/** The same as `inTransaction` for work that may read whole tables: a statement may take 300 s, the transaction 30 minutes. */
export function inLongTransaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
  return runTransaction(longWork(), { open: ["BEGIN"], ...LONG_LIMITS }, work);
}

/** True when the database answers; used by the readiness probe. */
export async function isDatabaseReachable(): Promise<boolean> {
  try {
    await queryAcrossMerchants("SELECT 1");
    return true;
  } catch {
    return false;
  }
}
