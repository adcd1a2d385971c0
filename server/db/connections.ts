// The process's pools of connections, those of each cell apart: to the cell's own database and, for reports, to a replica of
// it.
import { AsyncLocalStorage } from "node:async_hooks";
import { PrismaPg } from "@prisma/adapter-pg";
import type { Pool } from "pg";
import { allCells, type Cell, currentCell } from "@/server/platform/cell";
import { env } from "@/server/platform/env";
import { log } from "@/server/platform/log";
import { admissionTo } from "./admission";
import { samplePools } from "./database-metrics";
import { PrismaClient } from "./generated/client";
import { createPool, type PoolSettings, statementName } from "./pool";
import { FOR_LONG_WORK, FOR_REPORTS, FOR_REQUESTS } from "./session-settings";

/**
 * A statement of a request has its connection and its answer, or has failed, within this many ms: the caller's 503 is due
 * after 5 s. The server's own statement_timeout is shorter.
 */
export const STATEMENT_WITHIN_MS = 4_000;
/** Reports and long work read whole tables; the server ends a statement of theirs after 5 minutes at most. */
export const LONG_STATEMENT_WITHIN_MS = 310_000;

/** Few, since such work comes from the command line. */
const LONG_WORK_CONNECTIONS = 2;

/** What a pool serves: statements of requests; commands that may take minutes; snapshots of reports. */
type Purpose = "requests" | "long_work" | "reports";

/** Next's bundles and the custom server are separate module graphs; they share what hangs on globalThis. */
const shared = globalThis as typeof globalThis & {
  sluicePools?: Map<string, Pool>;
  sluicePrisma?: Map<string, PrismaClient>;
};

const preparation = new AsyncLocalStorage<true>();

/** With the address: tests change it while work for an earlier one may still go on. */
const nameOf = (cell: Cell, use: string): string => `${cell.name} ${cell.databaseUrl}/${use}`;

samplePools(() => {
  const requests = allCells().map(
    (cell) => [cell.name, shared.sluicePools?.get(nameOf(cell, "requests")) ?? null] as const,
  );
  return new Map(requests);
});

function settingsFor(purpose: Purpose): Omit<PoolSettings, "statements" | "cell"> {
  if (purpose === "requests")
    return { max: env().databasePoolSize, session: FOR_REQUESTS, statementEndsWithinMs: STATEMENT_WITHIN_MS };
  const session = purpose === "reports" ? FOR_REPORTS : FOR_LONG_WORK;
  return { max: LONG_WORK_CONNECTIONS, session, statementEndsWithinMs: LONG_STATEMENT_WITHIN_MS };
}

function pooled(cell: Cell, databaseUrl: string | null, use: string, purpose: Purpose): Pool {
  shared.sluicePools ??= new Map();
  const name = nameOf(cell, use);
  const open = shared.sluicePools.get(name);
  if (open) return open;
  if (!databaseUrl) throw new Error("no database: set DATABASE_URL, or start the embedded Postgres first");
  const statements = env().databaseStatements;
  const settings = { ...settingsFor(purpose), statements, cell: cell.name };
  // A preparation makes the database the cell; every other connection is refused where it is not.
  const isChecked = allCells().length > 1 && !preparation.getStore();
  const pool = createPool(databaseUrl, { ...settings, ...(isChecked && { admit: admissionTo(cell) }) });
  shared.sluicePools.set(name, pool);
  return pool;
}

/** Connections to the own database of the running work's cell. */
export function ownPool(purpose: Purpose): Pool {
  const cell = currentCell();
  return pooled(cell, cell.databaseUrl, preparation.getStore() ? `preparation/${purpose}` : purpose, purpose);
}

/** Connections to the cell's replica for reports, or to its own database if there is none. */
export function reportPool(purpose: Exclude<Purpose, "long_work">): Pool {
  const cell = currentCell();
  const { reportDatabaseUrl } = cell;
  return reportDatabaseUrl === null ? ownPool(purpose) : pooled(cell, reportDatabaseUrl, `replica/${purpose}`, purpose);
}

/** Prisma over the connections of requests. */
export function ownPrisma(): PrismaClient {
  shared.sluicePrisma ??= new Map();
  const name = nameOf(currentCell(), "prisma");
  const open = shared.sluicePrisma.get(name);
  if (open) return open;
  const client = new PrismaClient({
    adapter: new PrismaPg(ownPool("requests"), {
      statementNameGenerator: ({ sql }) => statementName(sql),
      onConnectionError: (error) => log().warn({ error: error.message }, "a database connection broke"),
    }),
    errorFormat: "minimal",
  });
  shared.sluicePrisma.set(name, client);
  return client;
}

/**
 * Runs work that prepares the running work's cell, on connections that nothing else uses and that are closed afterwards: they
 * may have begun before a migration created the role that row-level security binds. With several cells, these connections
 * alone are not refused by a database that is not the cell yet.
 */
export async function whilePreparing<Result>(work: () => Promise<Result>): Promise<Result> {
  const own = nameOf(currentCell(), "preparation/");
  try {
    return await preparation.run(true, work);
  } finally {
    const pools = [...(shared.sluicePools ?? [])].filter(([name]) => name.startsWith(own));
    for (const [name] of pools) shared.sluicePools?.delete(name);
    await Promise.all(pools.map(([, pool]) => pool.end()));
  }
}

/** Closes all of them; used when a process ends. The next statement opens new ones. */
export async function closeConnections(): Promise<void> {
  const { sluicePools, sluicePrisma } = shared;
  delete shared.sluicePools;
  delete shared.sluicePrisma;
  await Promise.all([...(sluicePrisma?.values() ?? [])].map((client) => client.$disconnect()));
  await Promise.all([...(sluicePools?.values() ?? [])].map((pool) => pool.end()));
}
