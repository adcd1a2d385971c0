// Runs a command in the test's own process.
import { commandsOfNoun } from "../commands";
import { failureOf } from "../failure";
import { parseWords } from "../parse";

/** The command's document, or its failure. */
export async function runCommand(...words: readonly string[]): Promise<Record<string, unknown>> {
  const parsed = parseWords(words, await commandsOfNoun(words));
  if (parsed.kind !== "run") throw new Error("this line asks for help");
  try {
    return (await parsed.command.run(parsed.values)) as Record<string, unknown>;
  } catch (error) {
    return { ...failureOf(error) };
  }
}
