// Runs many operator's commands in one process, because a process per command takes seconds of CPU time.
import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { cli } from "./cli";
import { openResident, type Resident } from "./resident";
import type { ServiceAddress } from "./service";
import { PROJECT_ROOT, serviceVariables } from "./service-process";

/** Runs `npm run -s cli -- <words>` and returns its document. If it fails, throws the reported error. */
export type Operator = Pick<Resident, "run" | "close">;

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
    env: serviceVariables({ DATA_DIR: service.dataDir, ...service.database }),
    execArgv: ["--import", "tsx"],
    serialization: "advanced",
  });
}

/** Starts the process beside a running service. */
export function startOperator(service: ServiceAddress): Promise<Operator> {
  return openResident(spawn(service));
}
