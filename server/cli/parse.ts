// Owns reading the words of the command line: which command, and what it is given.
import { type ParseArgsConfig, parseArgs } from "node:util";
import { type Command, type Option, type Options, UsageError, type Values } from "./command";

export type Parsed =
  | { readonly kind: "help"; readonly command: Command | null }
  | { readonly kind: "run"; readonly command: Command; readonly values: Values };

/** The command that the first two words name, or the first alone. */
export function findCommand(commands: readonly Command[], words: readonly string[]): Command | null {
  const names = [words.slice(0, 2).join(" "), words[0]];
  return commands.find(({ name }) => names.includes(name)) ?? null;
}

/** Finds the command and its values, or that help is wanted. Throws UsageError. */
export function parseWords(words: readonly string[], commands: readonly Command[]): Parsed {
  const command = findCommand(commands, words);
  if (words.some((word) => word === "--help" || word === "-h")) return { kind: "help", command };
  if (words.length === 0) throw new UsageError("a command is missing");
  if (!command) throw new UsageError(`there is no command "${words.slice(0, 2).join(" ")}"`);
  return { kind: "run", command, values: readValues(words.slice(command.name.split(" ").length), command.options) };
}

function readValues(words: readonly string[], options: Options): Values {
  const given = new Map<string, string | undefined>();
  for (const { name, value } of readTokens(words, options)) {
    // The last one winning in silence would hide a slip of the hand where amounts are typed.
    if (given.has(name)) throw new UsageError(`--${name} is given more than once`);
    given.set(name, value);
  }
  return Object.fromEntries(Object.entries(options).map(([name, option]) => [name, readValue(name, option, given)]));
}

function readTokens(words: readonly string[], options: Options) {
  const types: NonNullable<ParseArgsConfig["options"]> = {};
  for (const [name, { kind }] of Object.entries(options))
    types[name] = { type: kind === "flag" ? "boolean" : "string" };
  try {
    const { tokens } = parseArgs({ args: [...words], options: types, strict: true, tokens: true });
    return tokens.filter((token) => token.kind === "option");
  } catch (error) {
    throw new UsageError((error as Error).message.replaceAll("\n", " "));
  }
}

function readValue(
  name: string,
  option: Option,
  given: ReadonlyMap<string, string | undefined>,
): string | boolean | null {
  if (option.kind === "flag") return given.has(name);
  const value = given.get(name);
  if (option.kind === "optional") return value ?? null;
  if (value === undefined) throw new UsageError(`--${name} ${option.value} is missing`);
  if (option.kind === "choice" && !option.choices.includes(value)) {
    throw new UsageError(`--${name} must be one of ${option.choices.join(", ")}`);
  }
  return value;
}
