// A Postgres of the specs' own behind a real PgBouncer in transaction mode.
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PgBouncer, startPgBouncer } from "./postgres/pgbouncer";
import { startPostgres } from "./postgres/server";
import { type DatabaseVariables, freePort, onDatabase } from "./service";

export interface PooledDatabase {
  readonly pooler: PgBouncer;
  /** What a service on it needs. */
  readonly variables: DatabaseVariables;
  close(): Promise<void>;
}

/** A replica for reports that is away: whatever reads it fails. */
export const AWAY = { REPORT_DATABASE_URL: "postgres://nobody@127.0.0.1:1/sluice" };

/** Starts both; needs Debian's package `pgbouncer`. */
export async function openPooledDatabase(): Promise<PooledDatabase> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-pooled-"));
  // Postgres may run as another user, who needs access through this folder to its own.
  chmodSync(folder, 0o711);
  const server = await startPostgres(join(folder, "server"), await freePort());
  const pooler = await startPgBouncer(server.url, { mode: "transaction" });
  return {
    pooler,
    variables: {
      ...onDatabase(pooler.url),
      DATABASE_DIRECT_URL: server.url,
      DATABASE_STATEMENTS: "unnamed",
    },
    async close() {
      await pooler.stop();
      await server.stop("fast");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
