// The service's embedded Postgres, stored in the data folder, with one owner at a time.
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { ensureCluster, SUPERUSER } from "./embedded/cluster";
import { locate, prepareDataDir } from "./embedded/location";
import { stopOrphan } from "./embedded/orphan";
import { type Postmaster, startPostmaster } from "./embedded/postmaster";
import { findPrograms } from "./embedded/programs";
import { log } from "./log";
import { type OwnerRole, tryOwnerLock } from "./owner-lock";

export interface EmbeddedPostgres {
  readonly url: string;
  /** True if it belongs to another process, which also migrates it. */
  readonly isShared: boolean;
  /** Stops the server, unless it belongs to another process. */
  stop(): Promise<void>;
  /** Called once if the server ends unexpectedly, with the end of its standard error. */
  onCrash(listener: (stderrTail: string) => void): void;
}

const DATABASE = "sluice";
const OWNER_ENDS_WITHIN_MS = 20_000;

async function run(url: string, sql: string): Promise<number> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return (await client.query(sql)).rows.length;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function ensureDatabase(server: string): Promise<string> {
  const found = await run(`${server}/postgres`, `SELECT 1 FROM pg_database WHERE datname = '${DATABASE}'`);
  if (found === 0) await run(`${server}/postgres`, `CREATE DATABASE ${DATABASE}`);
  return `${server}/${DATABASE}`;
}

/** Writes the database's URL for commands that run beside the service. */
function publish(path: string, url: string): void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, JSON.stringify({ url, pid: process.pid }), { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, path);
}

async function start(dataDir: string, release: () => Promise<void>): Promise<EmbeddedPostgres> {
  const published = join(dataDir, "postgres.json");
  let postmaster: Postmaster | null = null;
  const stop = async () => {
    rmSync(published, { force: true });
    await postmaster?.stop();
    await release();
  };
  try {
    const location = locate(dataDir);
    const programs = findPrograms(location.baseOfCopies, location.user);
    await stopOrphan(location.pgData);
    const password = await ensureCluster(programs, location);
    postmaster = await startPostmaster(programs, location, join(dataDir, "postgres.log"));
    const url = await ensureDatabase(`postgres://${SUPERUSER}:${password}@127.0.0.1:${postmaster.port}`);
    publish(published, url);
    return { url, isShared: false, stop, onCrash: postmaster.onCrash };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function runningService(dataDir: string): Promise<EmbeddedPostgres | null> {
  try {
    const { url } = JSON.parse(readFileSync(join(dataDir, "postgres.json"), "utf8")) as { url: string };
    await run(url, "SELECT 1");
    return { url, isShared: true, stop: async () => undefined, onCrash: () => undefined };
  } catch {
    return null;
  }
}

async function own(given: string, role: OwnerRole): Promise<EmbeddedPostgres> {
  const dataDir = resolve(given);
  prepareDataDir(dataDir);
  let isReported = false;
  for (const end = Date.now() + OWNER_ENDS_WITHIN_MS; ; await sleep(100)) {
    const attempt = await tryOwnerLock(join(dataDir, "postgres.lock"), role);
    if (attempt.acquired) return start(dataDir, attempt.release);
    const { owner } = attempt;
    const reused = role === "command" && owner.role === "service" ? await runningService(dataDir) : null;
    if (reused) return reused;
    if (Date.now() > end)
      throw new Error(
        `process ${owner.pid} (a ${owner.role}) uses ${dataDir}: stop it, or set DATA_DIR to another folder`,
      );
    if (!isReported && role === "service")
      log().warn({ owner }, "another process uses the data folder; waiting until it ends");
    isReported = true;
  }
}

/**
 * Starts the database of a data folder, on 127.0.0.1 only; creates it at the first start. First stops a server left
 * behind by a killed service. Throws if a live process owns the folder for 20 s.
 */
export function startEmbeddedPostgres(options: { readonly dataDir: string }): Promise<EmbeddedPostgres> {
  return own(options.dataDir, "service");
}

/**
 * For commands: connects to the database of the service that runs on the folder, or starts one until they call `stop`.
 */
export function connectOrStartEmbeddedPostgres(options: { readonly dataDir: string }): Promise<EmbeddedPostgres> {
  return own(options.dataDir, "command");
}
