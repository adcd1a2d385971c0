// Runs the operator's commands in one process: each arrives as a message and is answered with its document or error.
import { COMMANDS } from "@/server/cli/commands";
import { failureOf } from "@/server/cli/failure";
import { parseWords } from "@/server/cli/parse";
import { logWarningsOnly } from "@/server/platform/env";
import { openCommandSession } from "@/server/services/command-session";
import type { OperatorAnswer, OperatorRequest } from "../operator";

/** Every command reads the database as a process of its own would. */
function forgetCaches(): void {
  const { sluiceCaches } = globalThis as { sluiceCaches?: ReadonlyMap<string, { clear(): void }> };
  for (const cache of sluiceCaches?.values() ?? []) cache.clear();
}

async function answer({ id, words }: OperatorRequest, signal: AbortSignal): Promise<OperatorAnswer> {
  forgetCaches();
  try {
    const parsed = parseWords(words, COMMANDS);
    if (parsed.kind === "help") throw new Error("help is not served here");
    const document = await parsed.command.run(parsed.values, signal);
    const hasFailed = parsed.command.succeeded?.(document) === false;
    if (hasFailed) return { id, error: `the command failed: ${JSON.stringify(document)}` };
    return { id, document };
  } catch (error) {
    const { code, message } = failureOf(error);
    return { id, error: `${code}: ${message}` };
  }
}

logWarningsOnly();
const session = await openCommandSession({ migrates: false });
const ending = new AbortController();
process.on("message", (request: OperatorRequest) => {
  void answer(request, ending.signal).then((result) => process.send?.(result));
});
process.once("disconnect", () => {
  ending.abort();
  void session.close().finally(() => process.exit(0));
});
process.send?.({ id: 0, document: null } satisfies OperatorAnswer);
