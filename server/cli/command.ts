// A command of the command line: its words, its typed options, and the function that returns its one document.
import { Option } from "commander";
import { withinMerchant } from "@/server/platform/reach";
import { requireMerchant } from "@/server/services/merchants/require";
import { type CellUse, runInCells, succeededInCells } from "./in-cells";

/** An option without its name; `run` receives its value as a `Value`. */
export interface OptionOf<Value> {
  /** Creates the option for a flag such as `--merchant`. */
  make(flag: string): Option;
  readonly value?: Value;
}

/** Keyed by the name under which `run` receives the value: `publicKey` is `--public-key` on the command line. */
export type Options = Readonly<Record<string, OptionOf<string | boolean | null>>>;

/** A required option. `value` is the placeholder that help shows, such as ID. */
export function required(value: string, help: string): OptionOf<string> {
  return { make: (flag) => new Option(`${flag} <${value}>`, help) };
}

/** An optional option; if omitted, the command receives null. */
export function optional(value: string, help: string): OptionOf<string | null> {
  return { make: (flag) => new Option(`${flag} <${value}>`, help).default(null) };
}

/** A required option that must be one of the choices. */
export function oneOf<const Choice extends string>(choices: readonly Choice[], help: string): OptionOf<Choice> {
  const make = (flag: string) =>
    new Option(`${flag} <${choices.join("|")}>`, help).argParser((text) => {
      const choice = choices.find((one) => one === text);
      if (choice === undefined) throw new UsageError(`${flag} must be one of ${choices.join(", ")}`);
      return choice;
    });
  return { make };
}

/** An option without a value. */
export function flag(help: string): OptionOf<boolean> {
  return { make: (name) => new Option(name, help).default(false) };
}

/** The values of a command's options, by name. */
type ValuesOf<Declared extends Options> = {
  readonly [Name in keyof Declared]: Declared[Name] extends OptionOf<infer Value> ? Value : never;
};

/** The values before a command's declaration gives them their types. */
export type Values = Readonly<Record<string, string | boolean | null>>;

export interface Command {
  /** Noun and verb, as typed: `keys create`. A noun alone if it has only one command. */
  readonly name: string;
  readonly summary: string;
  /** Which cells it works in. */
  readonly cells: CellUse;
  readonly options: Options;
  /** Runs the command and returns the document to print, in wire names. Throws ServiceError and UsageError. */
  run(values: Values, signal?: AbortSignal): Promise<object>;
  /** For a command that runs until Ctrl-C, which aborts the signal instead of ending the process. */
  readonly isOngoing?: boolean;
  /** For a command whose document can report a problem: false makes it exit 1 after printing the document. */
  readonly succeeded?: (document: object) => boolean;
}

interface Definition<Declared extends Options> extends Omit<Command, "options" | "run"> {
  readonly options: Declared;
  readonly run: (values: ValuesOf<Declared>, signal: AbortSignal) => Promise<object>;
}

/**
 * Declares a command; `run` receives each option with the type that its declaration promises, in the cell that `cells` says. A
 * command with the option `merchant` throws not_found for an unknown one: a list would look as if the merchant had nothing. One
 * that finds its cells itself looks for the merchant itself.
 */
export function defineCommand<const Declared extends Options>(definition: Definition<Declared>): Command {
  const { run, succeeded, ...rest } = definition;
  const { cells } = rest;
  return {
    ...rest,
    succeeded: (document) => succeededInCells(document, succeeded),
    run: (values, signal = new AbortController().signal) =>
      runInCells(cells, values, () => {
        const work = () => run(values as ValuesOf<Declared>, signal);
        return typeof values.merchant === "string" && cells !== "own" ? forMerchant(values.merchant, work) : work();
      }),
  };
}

/**
 * Runs the work with the reach of its merchant alone. With the reach of every merchant, the work would not see one that moves to
 * another cell meanwhile, and would seem done; now its statements fail then, as a request's would.
 */
function forMerchant(merchantId: string, work: () => Promise<object>): Promise<object> {
  return withinMerchant(merchantId, async () => {
    await requireMerchant(merchantId);
    return work();
  });
}

/** The command line was invalid; the message says why. Nothing was executed. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
