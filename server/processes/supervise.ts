import type { ChildProcess } from "node:child_process";
import { log } from "@/server/platform/log";

const SHORTEST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** A process that ran this long was healthy, so the pause after its exit is the shortest again. */
const HEALTHY_AFTER_MS = 60_000;
/** Longer than a process needs to finish its work in progress. */
const STOP_WITHIN_MS = 16_000;

export interface Supervised {
  /** Sends SIGTERM and waits for the exit; sends SIGKILL after 16 s. */
  stop(): Promise<void>;
}

/** Starts a process and restarts it, after growing pauses, whenever it exits; `role` names it in the log. */
export function supervise(role: string, spawn: () => ChildProcess): Supervised {
  let child: ChildProcess;
  let pauseMs = SHORTEST_PAUSE_MS;
  let stopping = false;
  let restart: NodeJS.Timeout | undefined;

  function start(): void {
    const startedAt = performance.now();
    child = spawn();
    child.once("exit", (code, signal) => {
      if (stopping) return;
      if (performance.now() - startedAt > HEALTHY_AFTER_MS) pauseMs = SHORTEST_PAUSE_MS;
      log().error({ code, signal, pauseMs }, `the ${role} died; it will restart after a pause`);
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
      const timer = setTimeout(() => child.kill("SIGKILL"), STOP_WITHIN_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}
