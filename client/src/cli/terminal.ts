// What commands use of the process around them, so that tests can give them another one.

export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** True if results are JSON for programs. */
  readonly isJson: boolean;
  /** Aborted by Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal;
  /** True if a person can be asked. */
  readonly isInteractive: boolean;
  /** Prints a result: `text` for people, or `value` as one line of JSON. */
  print(text: string, value: unknown): void;
  /** Prints a notice for people, on standard error. */
  say(text: string): void;
  /** Asks a person for a line; what they type is shown unless it is secret. */
  ask(question: string, isSecret?: boolean): Promise<string>;
  /** Reads all of standard input. */
  readInput(): Promise<string>;
}

/** Control characters, of which some make a terminal do things. Line breaks stay. */
const CONTROLS = /(?!\n)\p{Cc}/gu;

/** Returns text of a service or of a file as it may be shown on a terminal. */
export function printable(text: string): string {
  return text.replace(CONTROLS, "\u{fffd}");
}
