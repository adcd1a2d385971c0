// The end of a database server whose service was killed: it is stopped before the next one starts.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { log } from "../log";
import { processCommand, processIdentity } from "../process-identity";

/** A clean stop first; what does not end in time is ended harder. Recovery makes every one of them safe. */
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
    // Gone in the meantime.
  }
}

/** Stops the server that still runs on a data directory; removes the mark of one that does not. Returns when it is gone. */
export async function stopOrphan(pgData: string): Promise<void> {
  const pidFile = join(pgData, "postmaster.pid");
  const pid = readPid(pidFile);
  const identity = pid === null ? null : processIdentity(pid);
  if (pid === null || identity === null) return;
  const command = processCommand(pid) ?? "";
  if (!command.includes("postgres") || !command.includes(pgData)) {
    // Another program has that number now; Postgres would take it for a running server.
    rmSync(pidFile, { force: true });
    return;
  }
  log().info({ postgresPid: pid }, "stopping the database server that a killed service left behind");
  for (const { signal, withinMs } of STOPS) {
    signalIfThere(pid, signal);
    for (const end = Date.now() + withinMs; Date.now() < end; await sleep(20)) {
      if (processIdentity(pid) !== identity) return;
    }
  }
  throw new Error(`the database server ${pid} left on ${pgData} does not end`);
}
