// A Postgres server of a spec's own, which the spec can stop, kill and fill.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { ensureCluster, SUPERUSER } from "@/server/platform/embedded/cluster";
import { locate } from "@/server/platform/embedded/location";
import { PROGRAM_ENVIRONMENT } from "@/server/platform/embedded/os-user";
import { findPrograms } from "@/server/platform/embedded/programs";
import { childrenOf } from "./children";

export interface PostgresServer {
  /** The same before and after every fault. */
  readonly url: string;
  /** Of the postmaster, or null while it does not run. */
  pid(): number | null;
  /** Starts it and waits until it accepts connections. Retries while processes of a killed one still hold its memory. */
  start(): Promise<void>;
  /** fast: sessions end, and it shuts down in order. immediate: without a checkpoint, so that it recovers at the start. */
  stop(mode: "fast" | "immediate"): Promise<void>;
  /** Kills the postmaster and all its processes at once. */
  killAll(): Promise<void>;
  /** The postmaster's processes. */
  children(): readonly number[];
  /** Kills the process of one session. Returns its id once the postmaster has noticed, and has ended all sessions. */
  killOneSession(): Promise<number>;
  /** Resolves once it accepts connections. */
  accepting(): Promise<void>;
  /** Copies all its files while it is stopped. Returns what puts the copy in the place of its files. */
  backUp(): Promise<() => Promise<void>>;
  /** Copies all its files while it is stopped, and starts a replica on that port, which follows it asynchronously. */
  replicate(port: number): Promise<Replica>;
  /** What it has logged since its creation. */
  logs(): string;
}

export interface Replica {
  /** Of the same database as the server's. */
  readonly url: string;
  /** Resolves once it has all that the server had written at the call. */
  caughtUp(): Promise<void>;
  /** From now on the server acknowledges nothing that the replica does not have. */
  makeSynchronous(): Promise<void>;
  /** From now on it misses what the server writes. */
  stopFollowing(): Promise<void>;
  /** Goes on receiving what the server writes, and shows it only after `resume`. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Makes it a server of its own, beside the one that it followed. */
  promote(): Promise<void>;
  stop(): Promise<void>;
  /** Kills the server, promotes the replica, and starts it under the server's address. */
  takeOver(): Promise<void>;
}

const READY_WITHIN_MS = 60_000;
const PAUSE_MS = 50;
/** Postgres stops by SIGINT (fast) and SIGQUIT (immediate). */
const SIGNALS = { fast: "SIGINT", immediate: "SIGQUIT" } as const;

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Servers and replicas that run. */
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const { pid } of running) if (pid) kill(pid, "SIGQUIT");
});

/** With owners and modes. */
function copyFolder(from: string, to: string): void {
  const { status, stderr } = spawnSync("cp", ["-a", from, to], { encoding: "utf8" });
  if (status !== 0) throw new Error(`${from} was not copied: ${stderr}`);
}

/**
 * Creates a server in the folder, on that port, and starts it with further environment variables and settings, such as
 * `fsync=off`. Linux only: it finds processes by /proc.
 */
export async function startPostgres(
  folder: string,
  port: number,
  env: Readonly<Record<string, string>> = {},
  more: readonly string[] = [],
): Promise<PostgresServer> {
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  const location = locate(folder);
  const programs = findPrograms(location.baseOfCopies, location.user);
  const password = await ensureCluster(programs, location);
  const address = (database: string, at = port) => `postgresql://${SUPERUSER}:${password}@127.0.0.1:${at}/${database}`;
  let child: ChildProcess | null = null;

  const logs = () => readFileSync(join(folder, "postgres.log"), "utf8");

  async function connected(database: string, at = port): Promise<Client> {
    const client = new Client({ connectionString: address(database, at) });
    client.on("error", () => {});
    await client.connect();
    return client;
  }

  function spawnServer(files = location.pgData, at = port): ChildProcess {
    const output = openSync(join(folder, "postgres.log"), "a", 0o600);
    const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=100", ...more];
    const words = ["-D", files, "-p", String(at), ...settings.flatMap((one) => ["-c", one])];
    const options = { ...location.user, cwd: "/", env: { ...PROGRAM_ENVIRONMENT, ...programs.environment, ...env } };
    const spawned = spawn(programs.postgres, words, { ...options, stdio: ["ignore", output, output] });
    closeSync(output);
    running.add(spawned);
    spawned.once("exit", () => {
      running.delete(spawned);
      if (child === spawned) child = null;
    });
    return spawned;
  }

  async function accepting(server = child, at = port): Promise<void> {
    for (const end = Date.now() + READY_WITHIN_MS; ; await sleep(PAUSE_MS)) {
      const client = await connected("postgres", at).catch(() => null);
      if (client) return client.end();
      if (Date.now() > end || server?.exitCode !== null)
        throw new Error(
          `Postgres does not accept:\n${readFileSync(join(folder, "postgres.log"), "utf8").slice(-2_000)}`,
        );
    }
  }

  async function start(): Promise<void> {
    for (const end = Date.now() + READY_WITHIN_MS; ; await sleep(PAUSE_MS)) {
      child = spawnServer();
      try {
        return await accepting();
      } catch (error) {
        if (Date.now() > end) throw error;
      }
    }
  }

  async function endBy(act: (postmaster: number) => void): Promise<void> {
    const ending = child;
    if (!ending?.pid) throw new Error("Postgres does not run");
    const ended = once(ending, "exit");
    act(ending.pid);
    await ended;
  }

  /** Runs the work while the server is stopped. */
  async function whileStopped(work: () => void): Promise<void> {
    await endBy((postmaster) => kill(postmaster, SIGNALS.fast));
    work();
    await start();
  }

  const killAll = () =>
    endBy((postmaster) => {
      const all = [postmaster, ...childrenOf(postmaster)];
      for (const pid of all) kill(pid, "SIGKILL");
    });

  async function replicate(at: number): Promise<Replica> {
    const files = `${location.pgData}-replica`;
    await whileStopped(() => {
      rmSync(files, { recursive: true, force: true });
      copyFolder(location.pgData, files);
    });
    writeFileSync(join(files, "standby.signal"), "");
    appendFileSync(join(files, "postgresql.auto.conf"), `primary_conninfo = '${address("postgres")}'\n`);
    const replica = spawnServer(files, at);
    await accepting(replica, at);
    const session = await connected("postgres", at);

    async function isTrue(condition: string, ...values: readonly string[]): Promise<void> {
      for (const end = Date.now() + READY_WITHIN_MS; ; await sleep(PAUSE_MS)) {
        const { rows } = await session.query<{ holds: boolean }>(`SELECT ${condition} AS holds`, [...values]);
        if (rows[0]?.holds) return;
        if (Date.now() > end) throw new Error(`the replica does not reach: ${condition}`);
      }
    }

    async function stopReplica(): Promise<void> {
      await session.end();
      const ended = once(replica, "exit");
      kill(replica.pid ?? 0, SIGNALS.fast);
      await ended;
    }

    return {
      url: address("sluice", at),
      async pause() {
        await session.query("SELECT pg_wal_replay_pause()");
        await isTrue("pg_get_wal_replay_pause_state() = 'paused'");
      },
      async resume() {
        await session.query("SELECT pg_wal_replay_resume()");
      },
      async promote() {
        await session.query("SELECT pg_promote()");
      },
      stop: stopReplica,
      async caughtUp() {
        const primary = await connected("postgres");
        const { rows } = await primary.query<{ lsn: string }>("SELECT pg_current_wal_lsn()::text AS lsn");
        await primary.end();
        await isTrue("pg_last_wal_replay_lsn() >= $1::pg_lsn", rows[0]?.lsn ?? "");
      },
      async makeSynchronous() {
        const primary = await connected("postgres");
        await primary.query("ALTER SYSTEM SET synchronous_standby_names = '*'");
        await primary.query("SELECT pg_reload_conf()");
        const states = "SELECT FROM pg_stat_replication WHERE sync_state = 'sync'";
        for (
          const end = Date.now() + READY_WITHIN_MS;
          (await primary.query(states)).rows.length === 0;
          await sleep(PAUSE_MS)
        )
          if (Date.now() > end) throw new Error("the replica does not become synchronous");
        await primary.end();
      },
      async stopFollowing() {
        await session.query("ALTER SYSTEM SET primary_conninfo = ''");
        await session.query("SELECT pg_reload_conf()");
        await isTrue("NOT EXISTS (SELECT FROM pg_stat_wal_receiver)");
      },
      async takeOver() {
        await killAll();
        await session.query("SELECT pg_promote()");
        await stopReplica();
        rmSync(location.pgData, { recursive: true });
        renameSync(files, location.pgData);
        await start();
      },
    };
  }

  await start();
  const client = await connected("postgres");
  await client.query("CREATE DATABASE sluice");
  await client.end();

  return {
    url: address("sluice"),
    pid: () => child?.pid ?? null,
    start,
    stop: (mode) => endBy((postmaster) => kill(postmaster, SIGNALS[mode])),
    killAll,
    children: () => (child?.pid ? childrenOf(child.pid) : []),
    async killOneSession() {
      const own = await connected("postgres");
      const { rows } = await own.query<{ pid: number }>(
        "SELECT pid FROM pg_stat_activity WHERE datname = 'sluice' ORDER BY state_change DESC LIMIT 1",
      );
      const pid = rows[0]?.pid;
      if (!pid) throw new Error("the service has no session");
      own.on("error", () => {});
      const ended = new Promise<void>((resolve) => own.once("end", () => resolve()));
      kill(pid, "SIGKILL");
      await ended;
      return pid;
    },
    accepting: () => accepting(),
    async backUp() {
      const copy = `${location.pgData}-copy`;
      await whileStopped(() => copyFolder(location.pgData, copy));
      return () =>
        whileStopped(() => {
          rmSync(location.pgData, { recursive: true });
          renameSync(copy, location.pgData);
        });
    },
    replicate,
    logs,
  };
}
