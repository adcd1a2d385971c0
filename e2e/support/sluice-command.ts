// Runs the developer's command `sluice` of an installed client, as its users do.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installClient } from "./packed-client";
import { serviceVariables, type Variables } from "./service-process";

/** A command that runs or has ended. */
export interface Running {
  /** What it printed so far. */
  readonly output: string;
  readonly errors: string;
  /** Resolves with its exit status, or the name of the signal that ended it. */
  readonly ended: Promise<number | string>;
  interrupt(): void;
}

interface Ended {
  readonly status: number | string;
  readonly output: string;
  readonly errors: string;
}

export interface SluiceCommand {
  /** Its home, with the stored key. */
  readonly home: string;
  /** Starts a command. */
  start(words: readonly string[], variables?: Variables): Running;
  /** Runs a command to its end, with this text as its standard input. */
  run(words: readonly string[], variables?: Variables, input?: string): Promise<Ended>;
  /** Stops what still runs and removes the home. */
  dispose(): Promise<void>;
}

/** Installs the packed client in a new folder and returns the folder. */
export async function makeInstallation(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-cli-"));
  await installClient(folder);
  return folder;
}

function watch(child: ChildProcess): Running {
  let output = "";
  let errors = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const ended = new Promise<number | string>((resolve) => {
    child.once("close", (status, signal) => resolve(status ?? signal ?? "unknown"));
  });
  return {
    get output() {
      return output;
    },
    get errors() {
      return errors;
    },
    ended,
    interrupt: () => void child.kill("SIGINT"),
  };
}

/** Returns the command of an installation, for a user with a home of their own. */
export function sluiceCommand(installation: string): SluiceCommand {
  const home = mkdtempSync(join(tmpdir(), "sluice-home-"));
  const children: ChildProcess[] = [];
  const launch = (words: readonly string[], variables: Variables = {}) => {
    const env = serviceVariables({ HOME: home, XDG_CONFIG_HOME: "", ...variables });
    const child = spawn(join(installation, "node_modules/.bin/sluice"), words, { env, cwd: home });
    children.push(child);
    return child;
  };
  return {
    home,
    start: (words, variables) => {
      const child = launch(words, variables);
      child.stdin?.end();
      return watch(child);
    },
    run: async (words, variables, input = "") => {
      const child = launch(words, variables);
      const running = watch(child);
      child.stdin?.on("error", () => {});
      child.stdin?.end(input);
      const status = await running.ended;
      return { status, output: running.output, errors: running.errors };
    },
    async dispose() {
      for (const child of children) child.kill("SIGKILL");
      rmSync(home, { recursive: true, force: true });
    },
  };
}
