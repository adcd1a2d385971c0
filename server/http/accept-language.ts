// The languages that a browser accepts.
import { match } from "@formatjs/intl-localematcher";
import Negotiator from "negotiator";

/** More wishes than browsers send; comparing them takes time. */
const MOST_WISHES = 20;
const LONGEST_HEADER = 1_000;

/** The languages that a browser accepts, the dearest first; none for a header that names none we can read. */
export function wishesOf(header: string | null): string[] {
  if (header === null || header.length > LONGEST_HEADER) return [];
  const named = new Negotiator({ headers: { "accept-language": header } }).languages().slice(0, MOST_WISHES);
  return named.flatMap((tag) => {
    try {
      return Intl.DateTimeFormat.supportedLocalesOf(tag);
    } catch {
      return [];
    }
  });
}

/** The nearest language of a list to the wishes; its first for everybody else. */
export function nearest<Language extends string>(
  wishes: readonly string[],
  known: readonly [Language, ...Language[]],
): Language {
  if (wishes.length === 0) return known[0];
  const found = match(wishes, known, known[0]);
  return known.find((one) => one === found) ?? known[0];
}

/** The language of a list that an `Accept-Language` header asks for. */
export function bestLanguage<Language extends string>(
  header: string | null,
  known: readonly [Language, ...Language[]],
): Language {
  return nearest(wishesOf(header), known);
}
