import { validationError } from "@/server/domain/errors";

/** Returns the choice that equals the text. Throws validation_failed, naming the option. */
export function readChoice<Choice extends string>(name: string, choices: readonly Choice[], text: string): Choice {
  const choice = choices.find((one) => one === text);
  if (choice === undefined) throw validationError(name, `must be one of ${choices.join(", ")}`);
  return choice;
}
