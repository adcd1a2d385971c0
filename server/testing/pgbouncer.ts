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
  stop(): Promise<void>;
}

const READY_WITHIN_MS = 10_000;

/** False where the package is missing. */
export function hasPgBouncer(): boolean {
  return spawnSync("pgbouncer", ["--version"]).status === 0;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}

function configuration(database: URL, port: number, mode: "transaction" | "session", folder: string): string {
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
default_pool_size = 5
ignore_startup_parameters = extra_float_digits,options
logfile = ${folder}/pgbouncer.log
`;
}

/** Starts a pooler before the server of `databaseUrl`. It refuses to run as root, so it then runs as `nobody`. */
export async function startPgBouncer(databaseUrl: string, mode: "transaction" | "session"): Promise<PgBouncer> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-pgbouncer-"));
  chmodSync(folder, 0o777);
  const port = await freePort();
  const database = new URL(databaseUrl);
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(file, configuration(database, port, mode, folder));
  const child = spawn("pgbouncer", [...(userInfo().uid === 0 ? ["-u", "nobody"] : []), file], { stdio: "ignore" });
  const url = new URL(databaseUrl);
  [url.hostname, url.port] = ["127.0.0.1", String(port)];
  try {
    await untilReady(url.href);
  } catch (error) {
    child.kill("SIGKILL");
    throw error;
  }
  return { url: url.href, stop: () => stop(child, folder) };
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

async function stop(child: ChildProcess, folder: string): Promise<void> {
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
  rmSync(folder, { recursive: true, force: true });
}
