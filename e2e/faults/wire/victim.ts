// A process of the service that a cut may kill. All its connections pass through a cutter, by its configuration.
import { fork } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { openResident, type Resident } from "../../support/resident";
import { PROJECT_ROOT, serviceVariables, type Variables } from "../../support/service-process";
import { bundleOf } from "./victim/bundle";

/** What a victim is, and its entry: it answers HTTP, plays rounds of the worker's loops, or runs the operator's commands. */
const ENTRIES = {
  web: "e2e/faults/wire/victim/web.ts",
  worker: "e2e/faults/wire/victim/worker.ts",
  operator: "e2e/support/operator/main.ts",
};
export type VictimKind = keyof typeof ENTRIES;

export interface VictimProcess extends Resident {
  /** Kills it at once; no effect on a dead one. */
  kill(): void;
  isAlive(): boolean;
  /** Resolves when it is dead. */
  readonly ended: Promise<unknown>;
}

/** Starts a process with these variables; its output is appended to the file `log`. Throws if it ends before it is ready. */
export async function startVictim(kind: VictimKind, variables: Variables, log: string): Promise<VictimProcess> {
  const file = await bundleOf(ENTRIES[kind]);
  const output = openSync(log, "a", 0o600);
  const child = fork(file, [], {
    cwd: PROJECT_ROOT,
    env: serviceVariables(variables),
    execArgv: [],
    serialization: "advanced",
    stdio: ["ignore", output, output, "ipc"],
  });
  closeSync(output);
  let isAlive = true;
  const ended = once(child, "exit").then(() => {
    isAlive = false;
  });
  const resident = await openResident(child).catch((error: unknown) => {
    throw new Error(`the ${kind} victim did not become ready:\n${readFileSync(log, "utf8").slice(-4_000)}`, {
      cause: error,
    });
  });
  return { ...resident, kill: () => void child.kill("SIGKILL"), isAlive: () => isAlive, ended };
}
