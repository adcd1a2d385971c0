// Which passwords may be chosen: long enough, and not among the first that an attacker tries.
import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs, dictionary } from "@zxcvbn-ts/language-common";
import { validationError } from "@/server/domain/errors";

const MINIMUM_LENGTH = 12;
const MAXIMUM_LENGTH = 1_024;
/** The estimate's time grows with the length. A password that is guessed slowly up to here is accepted. */
const ESTIMATED_LENGTH = 64;
/** Sign-in allows few attempts, but a stolen hash allows many. */
const MINIMUM_GUESSES = 1e8;

/** A year or a number after a name adds little. */
const MINIMUM_BESIDES_NAMES = 5;

/** Whom a password is for: an attacker tries these names first. */
export interface PasswordOwner {
  readonly email: string;
  readonly merchantName: string;
}

let shared: ZxcvbnFactory | null = null;

/** Knows 49,000 common passwords, and finds them repeated, in leetspeak, with a year, or typed along a keyboard. */
function estimator(): ZxcvbnFactory {
  shared ??= new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
  return shared;
}

/** Throws validation_failed for a password that is too short, too long, common, or close to its owner's names. */
export function requireGoodPassword(password: string, { email, merchantName }: PasswordOwner): void {
  if (password.length < MINIMUM_LENGTH)
    throw validationError("password", `must have at least ${MINIMUM_LENGTH} characters`);
  if (password.length > MAXIMUM_LENGTH)
    throw validationError("password", `must have at most ${MAXIMUM_LENGTH} characters`);
  const names = namesOf(email, merchantName);
  const { guesses } = estimator().check(password.slice(0, ESTIMATED_LENGTH), names);
  if (guesses < MINIMUM_GUESSES || isMadeOfNames(password, names))
    throw validationError(
      "password",
      "is too easy to guess: it is common, repeats itself, or resembles your address or your merchant's name",
    );
}

/** Returns the texts and their words, longest first. Words of one or two letters are in any password. */
function namesOf(...texts: readonly string[]): string[] {
  const names = texts.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]).filter((name) => name.length > 2);
  return names.sort((a, b) => b.length - a.length);
}

/** True if the password has names in it, and few letters and digits besides them. */
function isMadeOfNames(password: string, names: readonly string[]): boolean {
  const letters = lettersOf(password);
  const rest = names.reduce((text, name) => text.replaceAll(lettersOf(name), ""), letters);
  return rest.length < letters.length && rest.length < MINIMUM_BESIDES_NAMES;
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}
