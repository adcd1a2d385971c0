// Reads the command line, and the help about it.
import { parseArgs } from "node:util";
import type { Command, Given, Option } from "./command.js";
import { listEvents, resendEvent } from "./commands/events.js";
import { listen } from "./commands/listen.js";
import { login, logout } from "./commands/login.js";
import { logs } from "./commands/logs.js";
import { trigger } from "./commands/trigger.js";
import { CommandFailure } from "./failure.js";

const COMMANDS: readonly Command[] = [login, logout, listen, trigger, logs, listEvents, resendEvent];

/** Options of every command. */
const SHARED: Readonly<Record<string, Option>> = {
  json: { value: null, help: "print results as JSON, one line each" },
  help: { value: null, help: "show the help of the command" },
  version: { value: null, help: "show the version" },
};
const LETTERS: Readonly<Record<string, string>> = { help: "h", version: "v" };

export interface ReadCommand {
  /** Null without one; then the help is meant. */
  readonly command: Command | null;
  readonly given: Given;
}

const usage = (message: string) => new CommandFailure("usage", message);

function commandOf(words: readonly string[]): Command | null {
  return COMMANDS.find(({ name }) => name.split(" ").every((word, place) => words[place] === word)) ?? null;
}

/** Names the commands that begin with the first word, if there are any. */
function noCommand(words: readonly string[]): string {
  const near = COMMANDS.map(({ name }) => name).filter((name) => name.startsWith(`${words[0]} `));
  const hint = near.length === 0 ? "" : ` Commands of it: ${near.join(", ")}.`;
  return `There is no command ${words.join(" ")}.${hint}`;
}

function parse(line: readonly string[]) {
  const known = Object.assign({}, SHARED, ...COMMANDS.map(({ options }) => options)) as Record<string, Option>;
  const options = Object.fromEntries(
    Object.entries(known).map(([name, { value }]) => [
      name,
      {
        type: value === null ? ("boolean" as const) : ("string" as const),
        ...(LETTERS[name] && { short: LETTERS[name] }),
      },
    ]),
  );
  try {
    return parseArgs({ args: [...line], options, allowPositionals: true, strict: true, tokens: true });
  } catch (error) {
    throw usage((error as Error).message.replace(/\.? To specify .*$/s, "."));
  }
}

function checkWords(command: Command, words: readonly string[]): void {
  const required = command.words.filter((word) => !word.startsWith("["));
  if (words.length < required.length) throw usage(`${command.name} needs ${required[words.length]}.`);
  if (words.length > command.words.length) throw usage(`${command.name} takes no ${words[command.words.length]}.`);
}

/** Reads the words after `sluice`. Throws usage. */
export function readCommandLine(line: readonly string[]): ReadCommand {
  const { values, positionals, tokens } = parse(line);
  const names = tokens.flatMap((token) => (token.kind === "option" ? [token.name] : []));
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  if (twice) throw usage(`--${twice} is given twice.`);
  const command = commandOf(positionals);
  const words = positionals.slice(command?.name.split(" ").length ?? 0);
  const given: Given = {
    words,
    has: (name) => values[name] !== undefined,
    value: (name) => {
      const value = values[name];
      return typeof value === "string" ? value : undefined;
    },
  };
  if (given.has("help") || given.has("version")) return { command, given };
  if (!command && positionals.length > 0) throw usage(noCommand(positionals));
  if (!command) return { command, given };
  const foreign = names.find((name) => !(name in SHARED) && !(name in command.options));
  if (foreign) throw usage(`${command.name} has no option --${foreign}.`);
  checkWords(command, words);
  return { command, given };
}

function optionLines(options: Readonly<Record<string, Option>>): string[] {
  const left = (name: string, { value }: Option) => {
    const letter = LETTERS[name] ? `-${LETTERS[name]}, ` : "";
    return `${letter}--${name}${value === null ? "" : ` ${value}`}`;
  };
  return Object.entries(options).map(([name, option]) => `  ${left(name, option).padEnd(24)} ${option.help}`);
}

/** Returns the help of a command, or of all. */
export function helpText(command: Command | null): string {
  if (command) {
    const { name, words, summary, options } = command;
    const form = ["sluice", name, ...words, "[options]"].join(" ");
    return [summary, "", `Usage: ${form}`, "", ...optionLines({ ...options, ...SHARED })].join("\n");
  }
  const rows = COMMANDS.map(({ name, words, summary }) => {
    const [short = ""] = summary.split(":");
    return `  ${[name, ...words].join(" ").padEnd(20)} ${short}`;
  });
  return [
    "Work with a Sluice merchant's API keys.",
    "",
    "Usage: sluice COMMAND [options]",
    "",
    ...rows,
    "",
    ...optionLines(SHARED),
    "",
    "The key is that of sluice login, or of SLUICE_API_KEY=pk_…:sk_… with SLUICE_BASE_URL.",
  ].join("\n");
}
