// The process's two ways to Postgres (docs/decisions/0025): `prisma()` for simple rows of one table by its model API; `query`
// and `inTransaction` for everything with a guard, join, batch or transaction.
import type { Pool } from "pg";
import { perCell } from "@/server/platform/cell";
import { clockAgeMs, noteDatabaseTime } from "@/server/platform/clock";
import { acrossMerchants } from "@/server/platform/reach";
import { isReport } from "@/server/platform/report-scope";
import {
  closeConnections,
  LONG_STATEMENT_WITHIN_MS,
  ownPool,
  ownPrisma,
  reportPool,
  STATEMENT_WITHIN_MS,
} from "./connections";
import { timed } from "./database-metrics";
import { retryOnLockConflict } from "./failures";
import type { PrismaClient } from "./generated/client";
import { FOR_WIRE, runStatement } from "./pool";
import { runTransaction, type Transaction } from "./transaction";

/** A transaction of a request ends within this many ms of its BEGIN. */
const TRANSACTION_WITHIN_MS = 5_000;
const LONG_WORK_WITHIN_MS = 30 * 60_000;

/** The database is asked for its time this often while statements run; a time older than the second is waited for. */
const TIME_IS_FRESH_MS = 5_000;
const TIME_IS_STALE_MS = 60_000;
const QUICK_ANSWER_MS = 20;

/** The process's Prisma client, for simple rows of one table. */
export function prisma(): PrismaClient {
  return ownPrisma();
}

/** The process's connections, for a library that brings its own statements. */
export function pool(): Pool {
  return ownPool("requests");
}

export { whilePreparing } from "./connections";

/** Closes the process's connections; used when it ends. */
export function disconnect(): Promise<void> {
  return closeConnections();
}

/** Reads the database clock for platform/clock; repeats a slow read once, as on a new connection. */
async function syncClock(asks = 2): Promise<void> {
  const sentAt = performance.now();
  const sql = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS epoch_ms";
  const ask = () => runStatement<{ epoch_ms: number }>(pool(), sql, [], STATEMENT_WITHIN_MS);
  const [row] = await acrossMerchants(ask);
  const answeredAt = performance.now();
  if (row) noteDatabaseTime(row.epoch_ms, sentAt, answeredAt);
  if (asks > 1 && answeredAt - sentAt > QUICK_ANSWER_MS) await syncClock(asks - 1);
}

/** The reading under way. */
const clockOfCell = perCell((): { syncing: Promise<void> | null } => ({ syncing: null }));

/** Beside a statement, so that requests do not wait for it; only the first, or one after a long silence, does. */
function keepTime(): Promise<void> | null {
  const age = clockAgeMs();
  if (age < TIME_IS_FRESH_MS) return null;
  const clock = clockOfCell();
  // A database that does not answer fails the statement too, and that is the failure to report.
  clock.syncing ??= syncClock()
    .catch(() => {})
    .finally(() => {
      clock.syncing = null;
    });
  return age > TIME_IS_STALE_MS ? clock.syncing : null;
}

/**
 * Runs one statement, which reaches the rows of the running work's merchant; within `asReport` on the database of reports. `sql` is always a constant of this layer; values travel as parameters only. An int8 is read as bigint, a
 * timestamptz as Date. Throws the error of `pg`, which failures.ts classifies.
 */
export function query<Row>(sql: string, ...values: unknown[]): Promise<Row[]> {
  return queryAs<Row>(sql, values);
}

/** The same for what is shown as it is read: a timestamptz is read as its text on the wire, UTC with milliseconds. */
export function queryForWire<Row>(sql: string, ...values: unknown[]): Promise<Row[]> {
  return queryAs<Row>(sql, values, FOR_WIRE);
}

async function queryAs<Row>(sql: string, values: readonly unknown[], reading?: typeof FOR_WIRE): Promise<Row[]> {
  const startedAt = performance.now();
  const waiting = keepTime();
  if (waiting) await waiting;
  const withinMs = STATEMENT_WITHIN_MS - (performance.now() - startedAt);
  const connections = isReport() ? reportPool("requests") : pool();
  return timed("statement", () => runStatement<Row>(connections, sql, values, withinMs, reading));
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
  const run = () => {
    const endsWithinMs = TRANSACTION_WITHIN_MS - (performance.now() - startedAt);
    const limits = { statementWithinMs: STATEMENT_WITHIN_MS, endsWithinMs };
    return runTransaction(pool(), { open: ["BEGIN"], ...limits }, work);
  };
  return timed("transaction", () => retryOnLockConflict(run));
}

const LONG_LIMITS = { statementWithinMs: LONG_STATEMENT_WITHIN_MS, endsWithinMs: LONG_WORK_WITHIN_MS };
const SNAPSHOT = ["BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"];

/** Runs a report on one read-only snapshot; within `asReport` on the database of reports. It may read whole tables, waits for no row lock and locks no row. */
export function inSnapshot<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
  return runTransaction(
    isReport() ? reportPool("reports") : ownPool("reports"),
    { open: SNAPSHOT, ...LONG_LIMITS },
    work,
  );
}

/** The same as `inTransaction` for work that may read whole tables: a statement may take 300 s, the transaction 30 minutes. */
export function inLongTransaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
  return runTransaction(ownPool("long_work"), { open: ["BEGIN"], ...LONG_LIMITS }, work);
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
