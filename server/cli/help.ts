// Owns what the command line says about itself.
import type { Command, Option } from "./command";

const CALL = "npm run -s cli --";

function showOption([name, option]: readonly [string, Option]): string {
  return option.kind === "flag" ? `--${name}` : `--${name} ${option.value}`;
}

function isOptional({ kind }: Option): boolean {
  return kind === "optional" || kind === "flag";
}

function showCall({ name, options }: Command): string {
  const words = Object.entries(options).map((entry) =>
    isOptional(entry[1]) ? `[${showOption(entry)}]` : showOption(entry),
  );
  return [CALL, name, ...words].join(" ");
}

function inColumns(rows: readonly (readonly [left: string, right: string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
}

/** Help of one command: its call, what it does, its options. */
export function commandHelp(command: Command): string {
  const options = Object.entries(command.options).map((entry) => [showOption(entry), entry[1].help] as const);
  return `${command.summary}\n\n  ${showCall(command)}\n\n${inColumns(options)}\n`;
}

/** Help of the whole command line. */
export function generalHelp(commands: readonly Command[]): string {
  const rows = commands.map(({ name, summary }) => [name, summary] as const);
  return [
    `Sluice's command line: ${CALL} <noun> <verb> [options]`,
    `\n\n${inColumns(rows)}\n\n`,
    "Add --help to a command for its options. A command prints one JSON document and exits 0; one that fails prints\n",
    '{"error":{"code","message"}} as the last line of standard error and exits 1, or 2 when it was not understood.\n',
  ].join("");
}
