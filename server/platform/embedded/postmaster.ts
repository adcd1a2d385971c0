// Runs the database server: starts it with retries, stops it, and guards that it never outlives the service.
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Location } from "./location";
import { PROGRAM_ENVIRONMENT } from "./os-user";
import type { Programs } from "./programs";

export interface Postmaster {
  readonly port: number;
  readonly pid: number;
  /** Called once if the server ends unexpectedly, with the last lines that it wrote. */
  onCrash(listener: (stderrTail: string) => void): void;
  stop(): Promise<void>;
}

const START_WITHIN_MS = 120_000;
const RETRY_WITHIN_MS = 30_000;
const LOG_LIMIT_BYTES = 4_000_000;
/** Errors after a killed server: its backends still hold the shared memory, or its pid file still exists. */
const LEFTOVERS = /pre-existing shared memory|lock file "postmaster\.pid" already exists|Is another postmaster/;
const PORT_TAKEN = /could not bind|Address already in use|could not create any TCP/;

/** No socket file. Does not log errors of statements: the service reports them, and they can quote values. */
const SETTINGS = [
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  "max_connections=100",
  "shared_buffers=256MB",
  "log_min_messages=log",
  "log_checkpoints=off",
];

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("the system assigned no free port");
  return address.port;
}

function isReady(pgData: string, pid: number): boolean {
  try {
    const lines = readFileSync(join(pgData, "postmaster.pid"), "utf8").split("\n");
    return Number(lines[0]) === pid && lines[7]?.trim() === "ready";
  } catch {
    return false;
  }
}

function openLog(path: string): { descriptor: number; stderrTail: () => string } {
  const flags = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LOG_LIMIT_BYTES ? "w" : "a";
  const descriptor = openSync(path, flags, 0o600);
  const from = statSync(path).size;
  return {
    descriptor,
    stderrTail: () => readFileSync(path).subarray(from).toString("utf8").trim().split("\n").slice(-8).join("\n"),
  };
}

/** Stops the server when this process ends in any way, which closes the guard's input. */
function guard(server: ChildProcess, { user }: Location): ChildProcess {
  const words = ["-c", 'while read -r _; do :; done; kill -INT "$0"', String(server.pid)];
  const child = spawn("/bin/sh", words, {
    ...user,
    env: PROGRAM_ENVIRONMENT,
    cwd: "/",
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  child.on("error", () => undefined).unref();
  return child;
}

async function launch(
  programs: Programs,
  location: Location,
  logPath: string,
): Promise<Postmaster | { failed: string }> {
  const port = await freePort();
  const { descriptor, stderrTail } = openLog(logPath);
  const words = ["-D", location.pgData, "-p", String(port), ...SETTINGS.flatMap((setting) => ["-c", setting])];
  const options = { ...location.user, env: programs.environment, cwd: "/" };
  // A separate process group: Ctrl-C must reach only the service, which stops the database last.
  const child = spawn(programs.postgres, words, {
    ...options,
    detached: true,
    stdio: ["ignore", descriptor, descriptor],
  });
  closeSync(descriptor);
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()).once("error", () => resolve()));
  const { pid } = child;
  if (pid === undefined) return { failed: `${programs.postgres} could not be started` };
  const watch = guard(child, location);
  let stopping = false;
  const isOver = () => child.exitCode !== null || child.signalCode !== null;

  async function stop(): Promise<void> {
    stopping = true;
    child.ref();
    for (const signal of ["SIGINT", "SIGQUIT", "SIGKILL"] as const) {
      if (isOver()) break;
      child.kill(signal);
      await Promise.race([ended, sleep(10_000, undefined, { ref: false })]);
    }
    watch.kill("SIGKILL");
  }

  for (const end = Date.now() + START_WITHIN_MS; !isReady(location.pgData, pid); await sleep(15)) {
    if (!isOver() && Date.now() < end) continue;
    const failed = isOver() ? stderrTail() : `not ready after ${START_WITHIN_MS / 1000} s: ${stderrTail()}`;
    await stop();
    return { failed };
  }
  child.unref();
  return {
    port,
    pid,
    stop,
    onCrash(listener) {
      void ended.then(() => {
        watch.kill("SIGKILL");
        if (!stopping) listener(stderrTail());
      });
    },
  };
}

/**
 * Starts the server on a free port of the loopback address and waits until it accepts connections. Throws with the
 * server's output.
 */
export async function startPostmaster(programs: Programs, location: Location, logPath: string): Promise<Postmaster> {
  for (const end = Date.now() + RETRY_WITHIN_MS; ; await sleep(200)) {
    const result = await launch(programs, location, logPath);
    if (!("failed" in result)) return result;
    const isPassing = LEFTOVERS.test(result.failed) || PORT_TAKEN.test(result.failed);
    if (!isPassing || Date.now() > end) throw new Error(`the embedded Postgres did not start: ${result.failed}`);
  }
}
