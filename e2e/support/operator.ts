// Runs many operator's commands in one process, because a process per command takes seconds of CPU time.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { cli } from "./cli";
import type { ServiceAddress } from "./service";
import { PROJECT_ROOT, serviceVariables } from "./service-process";

export interface OperatorRequest {
  readonly id: number;
  readonly words: readonly string[];
}

/** An answer to request 0, which is never sent, signals that the process is ready. */
export type OperatorAnswer =
  | { readonly id: number; readonly document: unknown }
  | { readonly id: number; readonly error: string };

export interface Operator {
  /** Runs `npm run -s cli -- <words>` and returns its document. If it fails, throws the reported error. */
  run<Document = unknown>(...words: readonly string[]): Promise<Document>;
  close(): Promise<void>;
}

/** A service with a resident process for its operator's commands. */
export interface OperatedService extends ServiceAddress {
  readonly operator: Operator;
}

/**
 * Runs a command that prepares a spec and returns its document: in the service's resident process, or in a process per
 * command if it has none. Specs about the command line itself use `cli`.
 */
export function command<Document = unknown>(
  service: ServiceAddress | OperatedService,
  ...words: readonly string[]
): Promise<Document> {
  return "operator" in service ? service.operator.run(...words) : cli(service, ...words);
}

function spawn(service: ServiceAddress): ChildProcess {
  return fork(join(PROJECT_ROOT, "e2e/support/operator/main.ts"), [], {
    cwd: PROJECT_ROOT,
    env: serviceVariables({ DATA_DIR: service.dataDir }),
    execArgv: ["--import", "tsx"],
    serialization: "advanced",
  });
}

/** Starts the process beside a running service. */
export async function startOperator(service: ServiceAddress): Promise<Operator> {
  const child = spawn(service);
  const waiting = new Map<number, { resolve(document: unknown): void; reject(error: Error): void }>();
  const ended = once(child, "exit");
  let latest = 0;
  const ready = new Promise((resolve, reject) => waiting.set(latest, { resolve, reject }));
  child.on("message", (answer: OperatorAnswer) => {
    const request = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ("error" in answer) request?.reject(new Error(answer.error));
    else request?.resolve(answer.document);
  });
  child.once("exit", () => {
    for (const { reject } of waiting.values()) reject(new Error("the operator's process ended"));
  });
  await ready;
  return {
    run: <Document>(...words: readonly string[]) =>
      new Promise<Document>((resolve, reject) => {
        latest += 1;
        waiting.set(latest, { resolve: (document) => resolve(document as Document), reject });
        child.send({ id: latest, words } satisfies OperatorRequest);
      }),
    async close() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
