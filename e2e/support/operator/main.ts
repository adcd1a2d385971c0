// Runs the operator's commands in one process: each arrives as a message and is answered with its document or error.
import { commandsOfNoun } from "@/server/cli/commands";
import { failureOf } from "@/server/cli/failure";
import { parseWords } from "@/server/cli/parse";
import { logWarningsOnly } from "@/server/platform/env";
import { openCommandSession } from "@/server/services/command-session";
import { serveRequests } from "../resident";

/** Every command reads the database as a process of its own would. */
function forgetCaches(): void {
  const { sluiceCaches } = globalThis as { sluiceCaches?: ReadonlyMap<string, { clear(): void }> };
  for (const cache of sluiceCaches?.values() ?? []) cache.clear();
}

/** Runs a command; its error's text is what the command line would print. */
async function execute(words: readonly string[], signal: AbortSignal) {
  try {
    const parsed = parseWords(words, await commandsOfNoun(words));
    if (parsed.kind === "help") throw new Error("help is not served here");
    const { command, values } = parsed;
    return { command, document: await command.run(values, signal) };
  } catch (error) {
    const { code, message } = failureOf(error);
    throw new Error(`${code}: ${message}`);
  }
}

async function documentOf(words: readonly string[], signal: AbortSignal): Promise<unknown> {
  forgetCaches();
  const { command, document } = await execute(words, signal);
  if (command.succeeded?.(document) === false) throw new Error(`the command failed: ${JSON.stringify(document)}`);
  return document;
}

logWarningsOnly();
const session = await openCommandSession({ migrates: false });
const ending = new AbortController();
process.once("disconnect", () => {
  ending.abort();
  void session.close().finally(() => process.exit(0));
});
serveRequests((words) => documentOf(words, ending.signal));
