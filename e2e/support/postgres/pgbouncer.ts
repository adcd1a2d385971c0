// A real PgBouncer before the tests' database, where Debian's package `pgbouncer` is installed.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";

export interface PgBouncer {
  /** The address of a database through the pooler. */
  readonly url: string;
  /** Kills it and starts it again under the same address. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const READY_WITHIN_MS = 10_000;

/** The installed version, such as 1.18; null where the package is missing. */
function installedVersion(): number | null {
  const { stdout, status } = spawnSync("pgbouncer", ["--version"], { encoding: "utf8" });
  const [, major, minor] = /^PgBouncer (\d+)\.(\d+)/.exec(stdout ?? "") ?? [];
  return status === 0 ? Number(major) + Number(minor) / 100 : null;
}

/** False where the package is missing. */
export function hasPgBouncer(): boolean {
  return installedVersion() !== null;
}

/** True if the installed one passes named statements on in transaction mode, as 1.21 and newer do. */
export function passesNamesOn(): boolean {
  return (installedVersion() ?? 0) >= 1.21;
}

export interface PgBouncerSettings {
  readonly mode: "transaction" | "session" | "statement";
  /** Connections to the server; 5 by default. */
  readonly sessions?: number;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}

function configuration(database: URL, port: number, { mode, sessions = 5 }: PgBouncerSettings, folder: string): string {
  const password = database.password === "" ? "" : ` password=${decodeURIComponent(database.password)}`;
  return `
[databases]
* = host=${database.hostname} port=${database.port || "5432"} user=${decodeURIComponent(database.username)}${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${sessions}
max_client_conn = 500
${passesNamesOn() ? "max_prepared_statements = 200" : ""}
logfile = ${folder}/pgbouncer.log
`;
}

/** Starts a pooler before the server of `databaseUrl`. It refuses to run as root, so it then runs as `nobody`. */
export async function startPgBouncer(databaseUrl: string, settings: PgBouncerSettings): Promise<PgBouncer> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-pgbouncer-"));
  chmodSync(folder, 0o777);
  const port = await freePort();
  const database = new URL(databaseUrl);
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(file, configuration(database, port, settings, folder));
  const url = new URL(databaseUrl);
  [url.hostname, url.port] = ["127.0.0.1", String(port)];
  const words = [...(userInfo().uid === 0 ? ["-u", "nobody"] : []), file];
  let child = spawn("pgbouncer", words, { stdio: "ignore" });
  const atExit = () => child.kill("SIGKILL");
  process.once("exit", atExit);
  const end = () => ended(child);
  try {
    await untilReady(url.href);
  } catch (error) {
    await end();
    throw error;
  }
  return {
    url: url.href,
    async restart() {
      await end();
      child = spawn("pgbouncer", words, { stdio: "ignore" });
      await untilReady(url.href);
    },
    async stop() {
      await end();
      process.off("exit", atExit);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilReady(url: string): Promise<void> {
  for (const end = Date.now() + READY_WITHIN_MS; ; await sleep(50)) {
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      await client.query("SELECT 1");
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

async function ended(child: ChildProcess): Promise<void> {
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await exited;
}
