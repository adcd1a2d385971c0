// The Postgres of Debian's package `postgresql`: its programs, and a server for whole test runs.
import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { freePort } from "./service";
import { serviceVariables } from "./service-process";

const PACKAGES = "/usr/lib/postgresql";
const READY_WITHIN_MS = 60_000;
const PAUSE_MS = 50;

/** The folder of the programs of a version such as 15; by default of the newest one. Throws `needs postgresql` without it. */
export function debianPrograms(version?: number): string {
  const installed = existsSync(PACKAGES) ? readdirSync(PACKAGES).sort((a, b) => Number(a) - Number(b)) : [];
  const found = installed
    .filter((name) => version === undefined || Number(name) === version)
    .map((name) => join(PACKAGES, name, "bin"))
    .findLast((bin) => existsSync(join(bin, "pg_basebackup")));
  if (!found) throw new Error(`needs postgresql${version === undefined ? "" : ` ${version}`}`);
  return found;
}

/** Who runs a server: Postgres rejects root. */
export function serverUser(): { readonly uid: number; readonly gid: number } {
  const { uid, gid } = userInfo();
  if (uid !== 0) return { uid, gid };
  const [user = "", group = ""] = ["-u", "-g"].map(
    (word) => spawnSync("id", [word, "postgres"], { encoding: "utf8" }).stdout,
  );
  return { uid: Number(user), gid: Number(group) };
}

export interface DebianServer {
  /** The address of its empty database `sluice`. */
  readonly url: string;
  /** Stops it and removes its files. */
  close(): Promise<void>;
}

/**
 * Starts a server of that version, whose database sorts text as English does and not by bytes, like that of many
 * installations. Commits do not wait for the disk.
 */
export async function startDebianServer(version: number): Promise<DebianServer> {
  const bin = debianPrograms(version);
  const folder = mkdtempSync(join(tmpdir(), "sluice-debian-"));
  chmodSync(folder, 0o711);
  const own = join(folder, "own");
  const user = serverUser();
  mkdirSync(own, { mode: 0o700 });
  const passwordFile = join(own, "password");
  const password = randomBytes(16).toString("hex");
  writeFileSync(passwordFile, password);
  for (const path of [own, passwordFile]) chownSync(path, user.uid, user.gid);
  const options = { ...user, cwd: "/", env: serviceVariables({}) };

  const data = join(own, "data");
  const locale = ["--encoding=UTF8", "--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en-US"];
  const access = ["--username=sluice", "--auth=scram-sha-256", `--pwfile=${passwordFile}`];
  const made = spawnSync(join(bin, "initdb"), ["-D", data, "--no-sync", ...access, ...locale], {
    ...options,
    encoding: "utf8",
  });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);

  const port = await freePort();
  const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off"];
  const words = ["-D", data, "-p", String(port), ...settings.flatMap((one) => ["-c", one])];
  const child = spawn(join(bin, "postgres"), words, { ...options, stdio: "ignore" });
  process.once("exit", () => child.kill("SIGQUIT"));

  const address = (database: string) => `postgresql://sluice:${password}@127.0.0.1:${port}/${database}`;
  async function createDatabase(): Promise<void> {
    const client = new Client({ connectionString: address("postgres") });
    client.on("error", () => {});
    await client.connect();
    await client.query("CREATE DATABASE sluice");
    await client.end();
  }
  for (const end = Date.now() + READY_WITHIN_MS; ; await sleep(PAUSE_MS)) {
    const error = await createDatabase().then(
      () => null,
      (reason: Error) => reason,
    );
    if (!error) break;
    if (Date.now() > end || child.exitCode !== null) throw error;
  }
  return {
    url: address("sluice"),
    async close() {
      const ended = once(child, "exit");
      child.kill("SIGQUIT");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
