// Reading an optional option that takes one of a few words.
import { validationError } from "@/server/domain/errors";

/** The choice that the text is. Throws validation_failed, naming the option. */
export function readChoice<Choice extends string>(name: string, choices: readonly Choice[], text: string): Choice {
  const choice = choices.find((one) => one === text);
  if (choice === undefined) throw validationError(name, `must be one of ${choices.join(", ")}`);
  return choice;
}
