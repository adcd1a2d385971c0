// The help texts of the command line.
import { type Option, Command as Parser } from "commander";
import type { Command } from "./command";
import { optionTerm, parserOf } from "./parse";

const CALL = "npm run -s cli --";

const CLOSING = `
Add --help to a command for its options. A command prints one JSON document and exits 0; one that fails prints
{"error":{"code","message"}} as the last line of standard error and exits 1, or 2 if the command line is invalid.
`;

/** Help of one command: its usage, summary and options. */
export function commandHelp(command: Command): string {
  const parser = parserOf(command);
  const call = [CALL, command.name, ...parser.options.map(inCall)].join(" ");
  const layout = { commandUsage: () => call, optionTerm, optionDescription: ({ description }: Option) => description };
  return parser.configureHelp(layout).helpInformation();
}

/** Help of the whole command line, or of some of its commands. */
export function generalHelp(commands: readonly Command[]): string {
  const program = new Parser(CALL).description("Sluice's command line").usage("<noun> <verb> [options]");
  program.helpOption(false).helpCommand(false);
  for (const command of commands) program.addCommand(parserOf(command));
  return program.configureHelp({ subcommandTerm: (parser) => parser.name() }).helpInformation() + CLOSING;
}

function inCall(option: Option): string {
  return option.defaultValue === undefined ? optionTerm(option) : `[${optionTerm(option)}]`;
}
