// Owns what a command of the command line is: its words, its typed options, and the work that gives its one document.

/** `value` is the placeholder that help shows, such as ID. */
export type Option =
  | { readonly kind: "required" | "optional"; readonly value: string; readonly help: string }
  | { readonly kind: "choice"; readonly choices: readonly string[]; readonly value: string; readonly help: string }
  | { readonly kind: "flag"; readonly help: string };

export type Options = Readonly<Record<string, Option>>;

/** An option that must be given. */
export function required(value: string, help: string) {
  return { kind: "required", value, help } as const;
}

/** An option that may be left out; the command then sees null. */
export function optional(value: string, help: string) {
  return { kind: "optional", value, help } as const;
}

/** An option that must be given, as one of the choices. */
export function oneOf<const Choice extends string>(choices: readonly Choice[], help: string) {
  return { kind: "choice", choices, value: choices.join("|"), help } as const;
}

/** An option without a value. */
export function flag(help: string) {
  return { kind: "flag", help } as const;
}

type ValueOf<Given extends Option> = Given extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : Given extends { readonly kind: "flag" }
    ? boolean
    : Given extends { readonly kind: "optional" }
      ? string | null
      : string;

/** The values of a command's options, by name. */
type ValuesOf<Declared extends Options> = { readonly [Name in keyof Declared]: ValueOf<Declared[Name]> };

/** The same before a command's declaration has given them their types. */
export type Values = Readonly<Record<string, string | boolean | null>>;

export interface Command {
  /** Noun and verb, as typed: `keys create`; a noun alone where there is but one thing to do. */
  readonly name: string;
  readonly summary: string;
  readonly options: Options;
  /** Does the work and gives the document to print, in wire names. Throws ServiceError and UsageError. */
  run(values: Values, signal?: AbortSignal): Promise<object>;
  /** For a command that goes on until Ctrl-C, which then aborts the signal instead of ending the process. */
  readonly isOngoing?: boolean;
  /** For a command whose document can be bad news: false makes it exit 1, the document printed all the same. */
  readonly succeeded?: (document: object) => boolean;
}

interface Definition<Declared extends Options> extends Omit<Command, "options" | "run"> {
  readonly options: Declared;
  readonly run: (values: ValuesOf<Declared>, signal: AbortSignal) => Promise<object>;
}

/** Declares a command; `run` sees each option with the type that its declaration promises. */
export function defineCommand<const Declared extends Options>({ run, ...rest }: Definition<Declared>): Command {
  return {
    ...rest,
    run: (values, signal = new AbortController().signal) => run(values as ValuesOf<Declared>, signal),
  };
}

/** The command line was not understood; the message says what is wrong. Nothing was done. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
