// The process that a cut may kill: a web process whose connections all pass through a cutter, by its configuration.
import { fork } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_ROOT, serviceVariables, type Variables } from "../../support/service-process";

const READY_WITHIN_MS = 120_000;

export interface VictimProcess {
  readonly baseUrl: string;
  /** Kills it at once; no effect on a dead one. */
  kill(): void;
  isAlive(): boolean;
  /** Resolves when it is dead. */
  readonly ended: Promise<unknown>;
}

/** Starts a web process with these variables; its output is appended to the file `log`. Throws if it does not get ready. */
export async function startVictim(variables: Variables, log: string): Promise<VictimProcess> {
  const output = openSync(log, "a", 0o600);
  const child = fork(join(PROJECT_ROOT, "e2e/faults/wire/victim/web.ts"), [], {
    cwd: PROJECT_ROOT,
    env: serviceVariables(variables),
    execArgv: ["--import", "tsx"],
    stdio: ["ignore", output, output, "ipc"],
  });
  closeSync(output);
  const ended = once(child, "exit");
  const ready = once(child, "message", { signal: AbortSignal.timeout(READY_WITHIN_MS) });
  const first = await Promise.race([ready, ended.then(() => null)]);
  if (first === null)
    throw new Error(`the victim ended instead of becoming ready:\n${readFileSync(log, "utf8").slice(-4_000)}`);
  const [{ port }] = first as [{ port: number }];
  let isAlive = true;
  void ended.then(() => {
    isAlive = false;
  });
  return {
    baseUrl: `http://localhost:${port}`,
    kill: () => void child.kill("SIGKILL"),
    isAlive: () => isAlive,
    ended,
  };
}
