// What a command is, and what it gets.
import { Sluice } from "../sluice.js";
import { type Credentials, findCredentials } from "./credentials.js";
import { CommandFailure } from "./failure.js";
import type { Terminal } from "./terminal.js";

export interface Option {
  /** The name of its value in the help; null for a switch. */
  readonly value: string | null;
  readonly help: string;
}

/** The options and words that were given. */
export interface Given {
  readonly words: readonly string[];
  /** True if the switch was given. */
  has(name: string): boolean;
  /** The value of an option; undefined if it was not given. */
  value(name: string): string | undefined;
}

export interface Command {
  /** Its words, such as `events resend`. */
  readonly name: string;
  /** The words after it, such as `ID` or `[ID]`. */
  readonly words: readonly string[];
  readonly summary: string;
  readonly options: Readonly<Record<string, Option>>;
  run(terminal: Terminal, given: Given): Promise<void>;
}

/** A client of the service, with the key that is set or stored. */
export interface Connection {
  readonly credentials: Credentials;
  readonly sluice: Sluice;
}

/** Returns a client. `maximumRetries` is that of the client. Throws `not_logged_in` without a key. */
export function connect({ env }: Pick<Terminal, "env">, maximumRetries = 4): Connection {
  const credentials = findCredentials(env);
  return { credentials, sluice: new Sluice({ ...credentials, maximumRetries }) };
}

/** Reads a whole number between two bounds; `fallback` if it was not given. Throws usage. */
export function readNumber(given: Given, name: string, fallback: number, maximum: number): number {
  const text = given.value(name);
  if (text === undefined) return fallback;
  if (!/^[1-9]\d{0,6}$/.test(text) || Number(text) > maximum)
    throw new CommandFailure("usage", `--${name} is a whole number from 1 to ${maximum}.`);
  return Number(text);
}
