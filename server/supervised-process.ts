// Owns keeping a process beside the service alive: started again when it dies, after growing pauses, ended in order.
import type { ChildProcess } from "node:child_process";
import { log } from "@/server/platform/log";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** A process that ran this long was well; its death starts the pauses from the shortest again. */
const WELL_AFTER_MS = 60_000;
/** More than a process itself takes to finish what it has begun. */
const END_WITHIN_MS = 11_000;

export interface Supervised {
  /** Tells the process to end and waits until it has; kills it when it does not. */
  stop(): Promise<void>;
}

/** Starts a process and whoever follows it; `role` names it in the log, as in "the worker died". */
export function supervise(role: string, spawn: () => ChildProcess): Supervised {
  let child: ChildProcess;
  let pauseMs = FIRST_PAUSE_MS;
  let stopping = false;
  let restart: NodeJS.Timeout | undefined;

  function start(): void {
    const startedAt = performance.now();
    child = spawn();
    child.once("exit", (code, signal) => {
      if (stopping) return;
      if (performance.now() - startedAt > WELL_AFTER_MS) pauseMs = FIRST_PAUSE_MS;
      log().error({ code, signal, pauseMs }, `the ${role} died; it is started again after a pause`);
      restart = setTimeout(start, pauseMs);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    });
  }

  start();
  return {
    async stop() {
      stopping = true;
      clearTimeout(restart);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), END_WITHIN_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}
