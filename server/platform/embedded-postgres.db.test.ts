import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { connectOrStartEmbeddedPostgres, startEmbeddedPostgres } from "./embedded-postgres";
import { processIdentity } from "./process-identity";

const WITHIN_MS = 60_000;
let root: string;
let dataDir: string;
const children: ChildProcess[] = [];

async function query<Row>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Row[];
  } finally {
    await client.end();
  }
}

/** Starts another process that owns the database until it is killed; returns the database's URL. */
async function startElsewhere(): Promise<{ child: ChildProcess; url: string }> {
  const script = `import { startEmbeddedPostgres } from "./server/platform/embedded-postgres.ts";
    startEmbeddedPostgres({ dataDir: process.argv[1] }).then(({ url }) => { console.log(url); setInterval(() => {}, 1000); });`;
  const words = ["--import", "tsx", "--input-type=module", "-e", script, dataDir];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  return { child, url: line.toString().trim() };
}

function postmasterPid(): number {
  return Number(readFileSync(join(dataDir, "postgres", "data", "postmaster.pid"), "utf8").split("\n")[0]);
}

async function gone(pid: number): Promise<void> {
  while (processIdentity(pid) !== null) await sleep(20);
}

beforeEach(() => {
  // The test runner sets BASE_URL with another meaning.
  vi.stubEnv("BASE_URL", "");
  vi.stubEnv("LOG_LEVEL", "silent");
  vi.stubEnv("DATABASE_URL", "");
  root = mkdtempSync(join(tmpdir(), "sluice-embedded-"));
  chmodSync(root, 0o711);
  dataDir = join(root, "data");
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(root, { recursive: true, force: true });
});

describe("the embedded database", () => {
  it(
    "preserves its data between starts, under a password that only its owner can read",
    async () => {
      const first = await startEmbeddedPostgres({ dataDir });
      await query(first.url, "CREATE TABLE kept AS SELECT 1 AS id");
      await first.stop();
      const second = await startEmbeddedPostgres({ dataDir });
      expect(await query(second.url, "SELECT id FROM kept")).toEqual([{ id: 1 }]);
      for (const name of ["postgres-password", "postgres.json", "postgres.log"]) {
        expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600);
      }
      await second.stop();
      expect(existsSync(join(dataDir, "postgres.json"))).toBe(false);
    },
    WITHIN_MS,
  );

  it(
    "listens only on the loopback address, without a socket file, and never gives up durability",
    async () => {
      const { url, stop } = await startEmbeddedPostgres({ dataDir });
      const names = ["listen_addresses", "unix_socket_directories", "fsync", "synchronous_commit", "full_page_writes"];
      const settings = await query<{ name: string; setting: string }>(
        url,
        `SELECT name, setting FROM pg_settings WHERE name IN ('${names.join("','")}')`,
      );
      expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
        listen_addresses: "127.0.0.1",
        unix_socket_directories: "",
        fsync: "on",
        synchronous_commit: "on",
        full_page_writes: "on",
      });
      const wrong = new URL(url);
      wrong.password = "wrong";
      await expect(query(wrong.href, "SELECT 1")).rejects.toThrow(/password authentication failed/);
      await stop();
    },
    WITHIN_MS,
  );

  it(
    "is shared with a command that runs during its service",
    async () => {
      const service = await startEmbeddedPostgres({ dataDir });
      const command = await connectOrStartEmbeddedPostgres({ dataDir });
      expect(command.url).toBe(service.url);
      await command.stop();
      expect(await query(service.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
      await service.stop();
    },
    WITHIN_MS,
  );

  it(
    "is started for each command that finds none, one after the other, and stopped with it",
    async () => {
      const pids = await Promise.all(
        [1, 2, 3].map(async () => {
          const { url, stop } = await connectOrStartEmbeddedPostgres({ dataDir });
          const pid = postmasterPid();
          expect(await query(url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
          await stop();
          return pid;
        }),
      );
      for (const pid of pids) await gone(pid);
    },
    WITHIN_MS,
  );

  it(
    "ends when its service is killed, and starts again with the data",
    async () => {
      const { child, url } = await startElsewhere();
      await query(url, "CREATE TABLE kept AS SELECT 1 AS id");
      const pid = postmasterPid();
      child.kill("SIGKILL");
      await gone(pid);
      const { url: next, stop } = await startEmbeddedPostgres({ dataDir });
      expect(await query(next, "SELECT id FROM kept")).toEqual([{ id: 1 }]);
      await stop();
    },
    WITHIN_MS,
  );

  it(
    "is taken over at once from a service that was killed",
    async () => {
      const { child, url } = await startElsewhere();
      await query(url, "CREATE TABLE kept AS SELECT 1 AS id");
      child.kill("SIGKILL");
      const { url: next, stop } = await startEmbeddedPostgres({ dataDir });
      expect(await query(next, "SELECT id FROM kept")).toEqual([{ id: 1 }]);
      await stop();
    },
    WITHIN_MS,
  );

  it(
    "recovers after service and server are both killed during work",
    async () => {
      const { child, url } = await startElsewhere();
      await query(url, "CREATE TABLE kept AS SELECT generate_series(1, 1000) AS id");
      const busy = query(url, "SELECT pg_sleep(20)").catch(() => undefined);
      process.kill(postmasterPid(), "SIGKILL");
      child.kill("SIGKILL");
      const { url: next, stop } = await startEmbeddedPostgres({ dataDir });
      expect(await query(next, "SELECT count(*)::int AS rows FROM kept")).toEqual([{ rows: 1000 }]);
      await busy;
      await stop();
    },
    WITHIN_MS,
  );

  it(
    "ignores the pid file of a dead server, even if its pid belongs to another program",
    async () => {
      const first = await startEmbeddedPostgres({ dataDir });
      const mark = join(dataDir, "postgres", "data", "postmaster.pid");
      const text = readFileSync(mark, "utf8");
      await first.stop();
      const other = spawn("sleep", ["60"]);
      children.push(other);
      writeFileSync(mark, text.replace(/^\d+/, String(other.pid)));
      const second = await startEmbeddedPostgres({ dataDir });
      expect(processIdentity(other.pid ?? 0)).not.toBeNull();
      await second.stop();
    },
    WITHIN_MS,
  );

  it(
    "reports when it ends unexpectedly",
    async () => {
      const { onCrash, stop } = await startEmbeddedPostgres({ dataDir });
      const crashed = new Promise<string>((resolve) => onCrash(resolve));
      process.kill(postmasterPid(), "SIGQUIT");
      expect(await crashed).toMatch(/immediate shutdown/);
      await stop();
    },
    WITHIN_MS,
  );

  it(
    "works under a folder that no one else may enter, and preserves its data there too",
    async () => {
      chmodSync(root, 0o700);
      const first = await startEmbeddedPostgres({ dataDir });
      await query(first.url, "CREATE TABLE kept AS SELECT 1 AS id");
      const [place] = await query<{ data_directory: string }>(first.url, "SHOW data_directory");
      await first.stop();
      const second = await startEmbeddedPostgres({ dataDir });
      expect(await query(second.url, "SELECT id FROM kept")).toEqual([{ id: 1 }]);
      await second.stop();
      rmSync(dirname(place?.data_directory ?? join(root, "none", "none")), { recursive: true });
    },
    WITHIN_MS,
  );
});
