// Owns the command line as a process: one document on standard output, everything else on standard error.
import { logWarningsOnly } from "@/server/platform/env";
import { log } from "@/server/platform/log";
import { openCommandSession } from "@/server/services/command-session";
import { type Command, UsageError } from "./command";
import { COMMANDS } from "./commands";
import { failureOf } from "./failure";
import { commandHelp, generalHelp } from "./help";
import { findCommand, type Parsed, parseWords } from "./parse";

function print(document: object): void {
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}

function helpOf(command: Command | null): string {
  return command ? commandHelp(command) : generalHelp(COMMANDS);
}

function onceSignalled(act: () => void): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, act);
}

/** Does the work and prints its document; gives the exit status. */
async function execute({ command, values }: Parsed & { readonly kind: "run" }): Promise<0 | 1> {
  const session = await openCommandSession({ migrates: false });
  const ending = new AbortController();
  // A signal ends the work in order too, so that an embedded database of our own is not left behind.
  if (command.isOngoing) onceSignalled(() => ending.abort());
  else onceSignalled(() => void session.close().finally(() => process.exit(1)));
  try {
    const document = await command.run(values, ending.signal);
    print(document);
    return command.succeeded?.(document) === false ? 1 : 0;
  } finally {
    // What was done is done, and printed; how the end went must not turn it into a failure.
    await session.close().catch((error: unknown) => log().warn({ err: error }, "the command did not end well"));
  }
}

async function main(words: readonly string[]): Promise<number> {
  try {
    const parsed = parseWords(words, COMMANDS);
    if (parsed.kind === "run") return await execute(parsed);
    process.stdout.write(helpOf(parsed.command));
    return 0;
  } catch (error) {
    const { code, message, exitStatus } = failureOf(error);
    if (error instanceof UsageError) process.stderr.write(`${helpOf(findCommand(COMMANDS, words))}\n`);
    process.stderr.write(`${JSON.stringify({ error: { code, message } })}\n`);
    return exitStatus;
  }
}

logWarningsOnly();
process.exit(await main(process.argv.slice(2)));
