// The worker processes of a service that specs control.
import { readFileSync } from "node:fs";
import { childrenOf } from "./postgres/children";
import type { Service } from "./service";

/** The process ids of the service's workers. */
export function workersOf({ pid }: Pick<Service, "pid">): number[] {
  const isWorker = (child: number) => {
    try {
      return readFileSync(`/proc/${child}/cmdline`, "utf8").includes("worker");
    } catch {
      // It has ended since.
      return false;
    }
  };
  return childrenOf(pid).filter(isWorker);
}

/** Sends a signal to all workers of the service. */
export function signalWorkers(service: Pick<Service, "pid">, signal: NodeJS.Signals): void {
  for (const pid of workersOf(service)) process.kill(pid, signal);
}
