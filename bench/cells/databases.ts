// Cells for a bench: databases of one Postgres server, and a service over them.
import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { type PostgresServer, startPostgres } from "@/e2e/support/postgres/server";
import { type DatabaseVariables, freePort, type Service } from "@/e2e/support/service";

const SERVED_WITHIN_MS = 120_000;

/** The server with the databases of all cells. */
export interface CellServer {
  readonly server: PostgresServer;
  /** A session of the superuser, in none of the cells. */
  readonly admin: Client;
}

/** The name of the n-th cell, counted from 0. */
export const nameOf = (n: number): string => (n === 0 ? "main" : `c${n}`);
const databaseOf = (n: number) => `cell_${n}`;

/** The address of the n-th cell's database. */
export function urlOf({ server }: Pick<CellServer, "server">, n: number): string {
  const url = new URL(server.url);
  url.pathname = `/${databaseOf(n)}`;
  return url.href;
}

/** Makes empty databases, as an operator makes them for new cells. Returns what a service over them needs. */
export async function variablesOf(world: CellServer, cells: number): Promise<DatabaseVariables> {
  for (let n = 0; n < cells; n += 1) {
    await world.admin.query(`DROP DATABASE IF EXISTS ${databaseOf(n)} WITH (FORCE)`);
    await world.admin.query(`CREATE DATABASE ${databaseOf(n)}`);
  }
  const further = Array.from({ length: cells - 1 }, (_, index) => {
    const n = index + 1;
    return { name: nameOf(n), tag: `c${n.toString(36)}`, url: urlOf(world, n) };
  });
  const key = () => randomBytes(32).toString("base64");
  return {
    DATABASE_URL: urlOf(world, 0),
    ...(further.length > 0 && { CELLS: JSON.stringify(further) }),
    SLUICE_SECRETS: key(),
    REFERENCE_KEY: key(),
  };
}

/** Waits until all cells are served. The service is ready before the migration of its further cells has ended. */
export async function untilAllServed({ baseUrl }: Pick<Service, "baseUrl">): Promise<void> {
  for (const end = performance.now() + SERVED_WITHIN_MS; performance.now() < end; await sleep(200)) {
    const answer = (await (await fetch(`${baseUrl}/readyz`)).json()) as { readonly absent_cells?: readonly string[] };
    if (!answer.absent_cells) return;
  }
  throw new Error("not all cells are served");
}

/** Runs the work beside a new server, and removes the server. */
export async function withCellServer<Result>(work: (world: CellServer) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-bench-cells-"));
  // Postgres may run as another user, who needs access through this folder to its own.
  chmodSync(folder, 0o711);
  const server = await startPostgres(join(folder, "server"), await freePort(), {}, ["max_connections=1000"]);
  const admin = new Client({ connectionString: server.url });
  try {
    await admin.connect();
    return await work({ server, admin });
  } finally {
    await admin.end();
    await server.stop("fast");
    rmSync(folder, { recursive: true, force: true });
  }
}
