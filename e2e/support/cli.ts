// Runs the operator's commands beside a running service.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Operator } from "./operator";
import type { ServiceAddress } from "./service";
import { PROJECT_ROOT, serviceVariables } from "./service-process";

const run = promisify(execFile);

/** Where commands run: each as a process beside the service, or all in an operator's process. */
export type CommandTarget = ServiceAddress | Pick<Operator, "run">;

/**
 * Runs `npm run -s cli -- <words>` on the service's data and returns the JSON that it prints. If it fails, throws with
 * its standard error.
 */
export async function cli<Document = unknown>(target: CommandTarget, ...words: readonly string[]): Promise<Document> {
  if ("run" in target) return target.run<Document>(...words);
  const { stdout } = await run(
    process.execPath,
    ["--import", "tsx", join(PROJECT_ROOT, "server/cli/main.ts"), ...words],
    {
      cwd: PROJECT_ROOT,
      env: serviceVariables({ DATA_DIR: target.dataDir }),
    },
  );
  return JSON.parse(stdout) as Document;
}
