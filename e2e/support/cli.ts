// Runs the operator's commands beside a running service.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ServiceAddress } from "./service";
import { PROJECT_ROOT, serviceVariables, type Variables } from "./service-process";

const run = promisify(execFile);

/** A larger document of a command would be cut. */
const LARGEST_DOCUMENT = 64 << 20;

/**
 * Runs `npm run -s cli -- <words>` on the service's data and returns the JSON that it prints. If it fails, throws with
 * its standard error.
 */
export async function cli<Document = unknown>(service: ServiceAddress, ...words: readonly string[]): Promise<Document> {
  const { stdout } = await run(
    process.execPath,
    ["--import", "tsx", join(PROJECT_ROOT, "server/cli/main.ts"), ...words],
    {
      cwd: PROJECT_ROOT,
      env: serviceVariables({ DATA_DIR: service.dataDir, ...service.database }),
      maxBuffer: LARGEST_DOCUMENT,
    },
  );
  return JSON.parse(stdout) as Document;
}

/**
 * Runs the command with a service's variables, which the specs' resident process does not have. Returns its document also
 * if the command asks for a person's attention by its exit status. Throws if it prints none.
 */
export async function cliWith<Document>(variables: Variables, ...words: readonly string[]): Promise<Document> {
  const program = ["--import", "tsx", join(PROJECT_ROOT, "server/cli/main.ts"), ...words];
  const options = { cwd: PROJECT_ROOT, env: serviceVariables(variables), maxBuffer: LARGEST_DOCUMENT };
  const { stdout, stderr } = await run(process.execPath, program, options).catch(
    (error: unknown) => error as { stdout: string; stderr: string },
  );
  if (stdout === "") throw new Error(`${words.join(" ")} failed: ${stderr}`);
  return JSON.parse(stdout) as Document;
}
