// Stops a database server whose service was killed, before the next one starts.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { log } from "../log";
import { processCommand, processIdentity } from "../process-identity";

/** Tries a clean stop first, then harder ones after each time limit. Crash recovery makes each of them safe. */
const STOPS: readonly { signal: NodeJS.Signals; withinMs: number }[] = [
  { signal: "SIGINT", withinMs: 10_000 },
  { signal: "SIGQUIT", withinMs: 5_000 },
  { signal: "SIGKILL", withinMs: 5_000 },
];

function readPid(pidFile: string): number | null {
  try {
    const pid = Number(readFileSync(pidFile, "utf8").split("\n")[0]);
    return Number.isInteger(pid) && pid > 1 ? pid : null;
  } catch {
    return null;
  }
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended meanwhile.
  }
}

/**
 * Stops the server that still runs on a data directory, or removes the pid file of a dead one. Resolves when it has
 * ended.
 */
export async function stopOrphan(pgData: string): Promise<void> {
  const pidFile = join(pgData, "postmaster.pid");
  const pid = readPid(pidFile);
  const identity = pid === null ? null : processIdentity(pid);
  if (pid === null || identity === null) return;
  const command = processCommand(pid) ?? "";
  if (!command.includes("postgres") || !command.includes(pgData)) {
    // Another program now has this pid; Postgres would mistake it for a running server.
    rmSync(pidFile, { force: true });
    return;
  }
  log().info({ postgresPid: pid }, "stopping the database server that a killed service left running");
  for (const { signal, withinMs } of STOPS) {
    signalIfThere(pid, signal);
    for (const end = Date.now() + withinMs; Date.now() < end; await sleep(20)) {
      if (processIdentity(pid) !== identity) return;
    }
  }
  throw new Error(
    `the database server ${pid} of an earlier service still runs on ${pgData} and did not stop; stop it and start again`,
  );
}
