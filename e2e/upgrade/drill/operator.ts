// The operator's commands of a release, each in a process of its own: the code and packages are those of the release.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { serviceVariables, type Variables } from "../../support/service-process";

const run = promisify(execFile);

export type RunCommand = <Document = unknown>(...words: readonly string[]) => Promise<Document>;

/** Returns the function that runs a command of the release in the folder `root`. It throws with what the command printed. */
export function commandsOf(root: string, variables: Variables): RunCommand {
  return async <Document>(...words: readonly string[]) => {
    const program = ["--import", "tsx", join(root, "server/cli/main.ts"), ...words];
    const options = { cwd: root, env: serviceVariables(variables), maxBuffer: 64 * 1024 * 1024 };
    return JSON.parse((await run(process.execPath, program, options)).stdout) as Document;
  };
}
