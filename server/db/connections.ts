// The process's pools of connections: to the service's own database and, for reports, to a replica of it.
import { PrismaPg } from "@prisma/adapter-pg";
import type { Pool } from "pg";
import { env } from "@/server/platform/env";
import { log } from "@/server/platform/log";
import { samplePool } from "./database-metrics";
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
const shared = globalThis as typeof globalThis & { sluicePools?: Map<string, Pool>; sluicePrisma?: PrismaClient };

samplePool(() => shared.sluicePools?.get("requests") ?? null);

function settingsFor(purpose: Purpose): Omit<PoolSettings, "statements"> {
  if (purpose === "requests")
    return { max: env().databasePoolSize, session: FOR_REQUESTS, statementEndsWithinMs: STATEMENT_WITHIN_MS };
  const session = purpose === "reports" ? FOR_REPORTS : FOR_LONG_WORK;
  return { max: LONG_WORK_CONNECTIONS, session, statementEndsWithinMs: LONG_STATEMENT_WITHIN_MS };
}

function pooled(databaseUrl: string | null, name: string, purpose: Purpose): Pool {
  shared.sluicePools ??= new Map();
  const open = shared.sluicePools.get(name);
  if (open) return open;
  if (!databaseUrl) throw new Error("no database: set DATABASE_URL, or start the embedded Postgres first");
  const pool = createPool(databaseUrl, { ...settingsFor(purpose), statements: env().databaseStatements });
  shared.sluicePools.set(name, pool);
  return pool;
}

/** Connections to the service's own database. */
export function ownPool(purpose: Purpose): Pool {
  return pooled(env().databaseUrl, purpose, purpose);
}

/** Connections to the replica for reports, or to the service's own database if there is none. */
export function reportPool(purpose: Exclude<Purpose, "long_work">): Pool {
  const { reportDatabaseUrl } = env();
  return reportDatabaseUrl === null ? ownPool(purpose) : pooled(reportDatabaseUrl, `replica/${purpose}`, purpose);
}

/** Prisma over the connections of requests. */
export function ownPrisma(): PrismaClient {
  shared.sluicePrisma ??= new PrismaClient({
    adapter: new PrismaPg(ownPool("requests"), {
      statementNameGenerator: ({ sql }) => statementName(sql),
      onConnectionError: (error) => log().warn({ error: error.message }, "a database connection broke"),
    }),
    errorFormat: "minimal",
  });
  return shared.sluicePrisma;
}

/** Closes all of them; used when a process ends. The next statement opens new ones. */
export async function closeConnections(): Promise<void> {
  const { sluicePools, sluicePrisma } = shared;
  delete shared.sluicePools;
  delete shared.sluicePrisma;
  await sluicePrisma?.$disconnect();
  await Promise.all([...(sluicePools?.values() ?? [])].map((pool) => pool.end()));
}
