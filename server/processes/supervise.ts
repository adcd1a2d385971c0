import type { ChildProcess } from "node:child_process";
import { log } from "@/server/platform/log";

const SHORTEST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** A process that ran this long was healthy, so the pause after its exit is the shortest again. */
const HEALTHY_AFTER_MS = 60_000;
/** Longer than a process needs to finish its work in progress. */
const STOP_WITHIN_MS = 16_000;

export interface Supervised {
  /** The process that runs now; null while it waits for its restart. */
  readonly process: ChildProcess | null;
  /** How often it was restarted. */
  readonly restarts: number;
  /** Sends SIGTERM and waits for the exit; sends SIGKILL after 16 s. */
  stop(): Promise<void>;
}

/** Several processes of one role. */
export interface SupervisedGroup {
  readonly members: readonly Supervised[];
  /** Stops all of them at once. */
  stop(): Promise<void>;
}

/** Starts `count` processes, each restarted on its own; `spawn` receives the place of the process, from 0. */
export function superviseGroup(role: string, count: number, spawn: (place: number) => ChildProcess): SupervisedGroup {
  const members = Array.from({ length: count }, (_, place) => supervise(role, () => spawn(place)));
  return {
    members,
    async stop() {
      await Promise.all(members.map((member) => member.stop()));
    },
  };
}

/** Starts a process and restarts it, after growing pauses, whenever it exits; `role` names it in the log. */
export function supervise(role: string, spawn: () => ChildProcess): Supervised {
  let child: ChildProcess;
  let restarts = 0;
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
      restart = setTimeout(startAgain, pauseMs);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    });
  }

  function startAgain(): void {
    restarts += 1;
    start();
  }

  const hasExited = () => child.exitCode !== null || child.signalCode !== null;

  start();
  return {
    get process() {
      return hasExited() ? null : child;
    },
    get restarts() {
      return restarts;
    },
    async stop() {
      stopping = true;
      clearTimeout(restart);
      if (hasExited()) return;
      const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), STOP_WITHIN_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}
