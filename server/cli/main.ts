// The command line as a process: one document on standard output, everything else on standard error.
import { logWarningsOnly } from "@/server/platform/env";
import { log } from "@/server/platform/log";
import { openCommandSession } from "@/server/services/command-session";
import { type Command, UsageError } from "./command";
import { commandsOfNoun } from "./commands";
import { failureOf } from "./failure";
import { commandHelp, generalHelp } from "./help";
import { findCommand, type Parsed, parseWords } from "./parse";

function print(document: object): void {
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}

/** Help of the command, or of all. */
function helpOf(command: Command | null, commands: readonly Command[]): string {
  return command ? commandHelp(command) : generalHelp(commands);
}

function onceSignalled(act: () => void): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, act);
}

/** Runs the command, prints its document and returns the exit status. */
async function execute({ command, values }: Parsed & { readonly kind: "run" }): Promise<0 | 1> {
  const session = await openCommandSession({ migrates: false });
  const ending = new AbortController();
  // A signal also closes the session, so that the command's own embedded database does not keep running.
  if (command.isOngoing) {
    onceSignalled(() => ending.abort());
    process.stdout.once("error", () => ending.abort());
  } else onceSignalled(() => void session.close().finally(() => process.exit(1)));
  try {
    const document = await command.run(values, ending.signal);
    print(document);
    return command.succeeded?.(document) === false ? 1 : 0;
  } finally {
    // The command has succeeded and its document is printed. A failed close must not change the exit status.
    await session
      .close()
      .catch((error: unknown) => log().warn({ err: error }, "the command failed to shut down cleanly"));
  }
}

async function main(words: readonly string[]): Promise<number> {
  const commands = await commandsOfNoun(words);
  try {
    const parsed = parseWords(words, commands);
    if (parsed.kind === "run") return await execute(parsed);
    process.stdout.write(helpOf(parsed.command, commands));
    return 0;
  } catch (error) {
    const { code, message, exitStatus } = failureOf(error);
    if (error instanceof UsageError) process.stderr.write(`${helpOf(findCommand(commands, words), commands)}\n`);
    process.stderr.write(`${JSON.stringify({ error: { code, message } })}\n`);
    return exitStatus;
  }
}

const OUTPUTS = [process.stdout, process.stderr];

/** A reader such as `head` closes the pipe early, which is not a failure of the command. */
function tolerateClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

/** Resolves once all output is written. A pipe takes 64 KiB at a time, and `process.exit` discards the rest. */
function untilPrinted(): Promise<unknown> {
  return Promise.all(OUTPUTS.map((output) => new Promise((resolve) => output.write("", resolve))));
}

logWarningsOnly();
for (const output of OUTPUTS) output.on("error", tolerateClosedPipe);
const exitStatus = await main(process.argv.slice(2));
await untilPrinted();
process.exit(exitStatus);
