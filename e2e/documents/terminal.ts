// A terminal of a reader: a shell that keeps its variables and functions from one block of commands to the next.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const CLOSE_WITHIN_MS = 60_000;

/** A reader's shell has no NODE_ENV. The clone of a test has its packages; every other command of npm runs. */
const READERS_SHELL = 'unset NODE_ENV; npm() { if [ "$1" != ci ]; then command npm "$@"; fi; }\n';

export interface Terminal {
  /** Everything that its programs printed. */
  readonly output: string;
  /** Why it can run no more commands; null if it can. */
  readonly failure: string | null;
  /** Begins to run commands; `finish` resolves to what they wrote to standard output. Rejects if one of them fails. */
  run(commands: string): { readonly finish: Promise<string> };
  /** Interrupts what runs, as Ctrl-C does, and closes it after all its programs have ended. */
  close(): Promise<void>;
}

/** Opens a terminal in a folder, where it also writes its commands. `onOutput` receives everything that it prints. */
export function openTerminal(
  folder: string,
  name: string,
  variables: NodeJS.ProcessEnv,
  onOutput: (text: string) => void,
): Terminal {
  const end = `end-of-commands-${randomUUID()}`;
  const shell = spawn("sh", ["-e"], { cwd: folder, env: variables, detached: true, stdio: "pipe" });
  let output = "";
  let ofCommands = "";
  let failure: string | null = null;
  let waiting: { resolve(text: string): void; reject(error: Error): void } | null = null;

  const signal = (which: NodeJS.Signals) => {
    try {
      if (shell.pid !== undefined) process.kill(-shell.pid, which);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  };
  const kill = () => signal("SIGKILL");
  process.once("exit", kill);
  const closed = new Promise<void>((resolve) => shell.once("close", () => resolve()));

  const add = (text: string) => {
    output += text;
    onOutput(text);
  };
  shell.stderr.setEncoding("utf8").on("data", add);
  shell.stdout.setEncoding("utf8").on("data", (text: string) => {
    ofCommands += text;
    const [printed = "", rest] = ofCommands.split(`${end}\n`);
    add(text.replace(`${end}\n`, ""));
    if (rest === undefined) return;
    waiting?.resolve(printed);
    waiting = null;
  });
  shell.once("exit", (code, by) => {
    failure = `a command in terminal ${name} failed (${code ?? by}); it printed:\n${output.slice(-4_000)}`;
    waiting?.reject(new Error(failure));
    waiting = null;
  });
  shell.stdin.on("error", () => {}).write(READERS_SHELL);

  return {
    get output() {
      return output;
    },
    get failure() {
      return failure;
    },
    run(commands) {
      if (failure) throw new Error(failure);
      if (waiting) throw new Error(`terminal ${name} is busy and cannot run:\n${commands}`);
      const file = join(folder, `.terminal-${name}`);
      writeFileSync(file, `${commands}\n`);
      ofCommands = "";
      const finish = new Promise<string>((resolve, reject) => {
        waiting = { resolve, reject };
      });
      // A failure may come while nobody waits, and is then found by `failure`.
      finish.catch(() => {});
      // The commands must not read the shell's own input, which are the next commands.
      shell.stdin.write(`. ./.terminal-${name} < /dev/null\nprintf '%s\\n' '${end}'\n`);
      return { finish };
    },
    async close() {
      signal("SIGINT");
      const late = setTimeout(kill, CLOSE_WITHIN_MS);
      await closed;
      clearTimeout(late);
      process.off("exit", kill);
    },
  };
}
