// Starts the process that plants and verifies secrets through the service's own code.
import { fork } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { openResident, type Resident } from "../../support/resident";
import { PROJECT_ROOT, serviceVariables, type Variables } from "../../support/service-process";

/** Starts it with a service's variables; its output is appended to the file `log`. */
export function startPlanter(variables: Variables, log: string): Promise<Resident> {
  const output = openSync(log, "a", 0o600);
  const child = fork(join(PROJECT_ROOT, "e2e/faults/secrets/planter/main.ts"), [], {
    cwd: PROJECT_ROOT,
    env: serviceVariables(variables),
    execArgv: ["--import", "tsx"],
    serialization: "advanced",
    stdio: ["ignore", output, output, "ipc"],
  });
  closeSync(output);
  return openResident(child);
}
