// Runs the command line as a process of its own, for its tests.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

export interface Finished {
  readonly exitStatus: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs the command line with this process's variables; null removes one. With `reader`, the command
 * line's output is piped into that shell command; `stdout` and the exit status are then the reader's.
 */
export function runCli(
  words: readonly string[],
  variables: Record<string, string | null> = {},
  reader?: string,
): Promise<Finished> {
  const changed = Object.entries({ ...process.env, LOG_LEVEL: null, BASE_URL: null, ...variables });
  const environment = Object.fromEntries(changed.filter(([, value]) => value !== null)) as NodeJS.ProcessEnv;
  const program = [process.execPath, "--import", "tsx", "server/cli/main.ts", ...words];
  const [file = "", ...rest] = reader ? ["sh", "-c", `"$@" | (${reader})`, "sh", ...program] : program;
  const child = spawn(file, rest, { cwd: ROOT, env: environment, stdio: ["ignore", "pipe", "pipe"] });
  const output = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream].setEncoding("utf8").on("data", (text: string) => {
      output[stream] += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject).once("close", (exitStatus) => resolve({ exitStatus, ...output }));
  });
}

/** The document of a command that must have succeeded, with nothing on standard error. */
export function documentOf({ exitStatus, stdout, stderr }: Finished): Record<string, unknown> {
  if (exitStatus !== 0 || stderr !== "") throw new Error(`exit status ${exitStatus}, standard error: ${stderr}`);
  return JSON.parse(stdout) as Record<string, unknown>;
}

/** Status and error code of a command that must have failed, with nothing on standard output. */
export function refusalOf({ exitStatus, stdout, stderr }: Finished): {
  exitStatus: number | null;
  code: string;
  message: string;
} {
  if (stdout !== "") throw new Error(`standard output: ${stdout}`);
  const lastLine = stderr.trimEnd().split("\n").at(-1) ?? "";
  const { error } = JSON.parse(lastLine) as { error: { code: string; message: string } };
  return { exitStatus, ...error };
}
