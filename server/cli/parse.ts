// Parses the command line: which command, and the values of its options.
import { CommanderError, type Option, Command as Parser } from "commander";
import { type Command, UsageError, type Values } from "./command";

export type Parsed =
  | { readonly kind: "help"; readonly command: Command | null }
  | { readonly kind: "run"; readonly command: Command; readonly values: Values };

/** The command that the first two words name, or the first word alone. */
export function findCommand(commands: readonly Command[], words: readonly string[]): Command | null {
  const names = [words.slice(0, 2).join(" "), words[0]];
  return commands.find(({ name }) => names.includes(name)) ?? null;
}

export function isHelpFlag(word: string): boolean {
  return word === "--help" || word === "-h";
}

/** Returns the command with its values, or the request for help. Throws UsageError. */
export function parseWords(words: readonly string[], commands: readonly Command[]): Parsed {
  const command = findCommand(commands, words);
  if (words.some(isHelpFlag)) return { kind: "help", command };
  if (words.length === 0) throw new UsageError("a command is missing");
  if (!command) throw new UsageError(`there is no command "${words.slice(0, 2).join(" ")}"`);
  return { kind: "run", command, values: readValues(words.slice(command.name.split(" ").length), command) };
}

/** A parser of a command's options, for one use: it stores the values that it parses. */
export function parserOf({ name, summary, options }: Command): Parser {
  const parser = new Parser(name).description(summary).helpOption(false).exitOverride();
  parser.allowExcessArguments().configureOutput({ writeErr: () => undefined });
  for (const [key, option] of Object.entries(options)) parser.addOption(option.make(flagOf(key)));
  return parser;
}

/** `publicKey` → `--public-key`. */
function flagOf(key: string): string {
  return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** `--merchant ID`: the flag and its placeholder without the library's angle brackets. */
export function optionTerm({ flags }: Option): string {
  return flags.replace(/[<>]/g, "");
}

function readValues(words: readonly string[], command: Command): Values {
  const parser = parserOf(command);
  refuseFlagsAsValues(words, parser);
  refuseRepetition(parser);
  try {
    parser.parse(words, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    throw new UsageError(error.message.replace(/^error: /, "").replaceAll("\n", " "));
  }
  const [stray] = parser.args;
  if (stray !== undefined) throw new UsageError(`unexpected argument '${stray}'`);
  const values = parser.opts<Values>();
  // An optional option has a default.
  const missing = parser.options.find((option) => values[option.attributeName()] === undefined);
  if (missing) throw new UsageError(`${optionTerm(missing)} is missing`);
  return values;
}

/** In `--amount --currency BRL` the amount is missing; the library would take `--currency` for it. */
function refuseFlagsAsValues(words: readonly string[], parser: Parser): void {
  const forgotten = words.find((word, n) => {
    const option = parser.options.find(({ long }) => long === word);
    return option?.required && /^-./s.test(words[n + 1] ?? "");
  });
  if (forgotten === undefined) return;
  throw new UsageError(`${forgotten} has no value; write a value that starts with a dash as ${forgotten}=-…`);
}

/** The library uses the last value, which would hide typing mistakes in amounts. */
function refuseRepetition(parser: Parser): void {
  const given = new Set<string>();
  for (const option of parser.options) {
    const name = option.name();
    parser.on(`option:${name}`, () => {
      if (given.has(name)) throw new UsageError(`--${name} is given more than once`);
      given.add(name);
    });
  }
}
