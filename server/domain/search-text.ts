// Reads what a person typed into the search: an amount of money, or the beginning of an id.
import { isKnownCurrency, minorUnitDigits } from "./currencies";

/** In characters; a shorter text finds nothing. */
export const SHORTEST_SEARCH = 2;
export const LONGEST_SEARCH = 120;

/** What search finds, by the names of their tables. */
export const SEARCHED_INTENTS = ["payment_intent", "payout_intent", "topup_intent"] as const;
export type SearchedIntent = (typeof SEARCHED_INTENTS)[number];

/** What the search table stores of an intent. */
export const SEARCH_FIELDS = ["reference", "name", "amount"] as const;
export type SearchField = (typeof SEARCH_FIELDS)[number];

export interface SearchedAmount {
  readonly currency: string;
  /** Minor units. */
  readonly amount: string;
}

interface Reading {
  readonly whole: string;
  readonly fraction: string;
}

const CODE_FIRST = /^([a-z]{3,6}) ?(\d[\d., ]*)$/i;
const CODE_LAST = /^(\d[\d., ]*?) ?([a-z]{3,6})$/i;
/** A currency's sign says too little: "$" is written for a dozen of them. */
const NO_CODE = /^(?:R\$|[$€£¥])? ?(\d[\d., ]*)$/;

const PLAIN = /^\d{1,30}$/;
const ONE_MARK = /^(\d{1,30})[.,](\d{1,18})$/;
/** Groups of three, all after the same separator. */
const GROUPED = /^\d{1,3}(?:([., ])\d{3})(?:\1\d{3}){0,9}$/;
const GROUPED_WITH_FRACTION = /^(\d{1,3}(?:([., ])\d{3})(?:\2\d{3}){0,9})([.,])(\d{1,18})$/;

/**
 * The readings of a number, whichever of comma and point is the decimal mark. Of two kinds of separator the last one is. One
 * that occurs once, before exactly three digits, can be either: "1.250" is 1,250 or one and a quarter.
 */
function readingsOf(text: string): Reading[] {
  if (PLAIN.test(text)) return [{ whole: text, fraction: "" }];
  const readings: Reading[] = [];
  if (GROUPED.test(text)) readings.push({ whole: text.replace(/[., ]/g, ""), fraction: "" });
  const [, whole = "", fraction = ""] = ONE_MARK.exec(text) ?? [];
  if (whole !== "") readings.push({ whole, fraction });
  const [, groups = "", separator, mark, rest = ""] = GROUPED_WITH_FRACTION.exec(text) ?? [];
  if (groups !== "" && separator !== mark) readings.push({ whole: groups.replace(/[., ]/g, ""), fraction: rest });
  return readings;
}

function minorUnits({ whole, fraction }: Reading, currency: string): string | null {
  const digits = minorUnitDigits(currency);
  if (fraction.length > digits) return null;
  const units = (whole + fraction.padEnd(digits, "0")).replace(/^0+/, "");
  return units === "" ? null : units;
}

/**
 * The amounts that a text can mean, in major units: "125.50", "1.250,00", "1,250", "BRL 125.50" or "125,50 brl". Without a
 * code, in each of the currencies; one with fewer digits than were typed is left out. Empty for any other text.
 */
export function readSearchedAmounts(typed: string, currencies: readonly string[]): SearchedAmount[] {
  const text = typed.trim();
  const [, before = "", afterCode = ""] = CODE_FIRST.exec(text) ?? [];
  const [, beforeCode = "", after = ""] = CODE_LAST.exec(text) ?? [];
  const [, bare = ""] = NO_CODE.exec(text) ?? [];
  const code = (before || after).toUpperCase();
  if (code !== "" && !isKnownCurrency(code)) return [];
  const readings = readingsOf((afterCode || beforeCode || bare).trim());
  return (code === "" ? currencies : [code]).flatMap((currency) => {
    const amounts = readings.flatMap((reading) => minorUnits(reading, currency) ?? []);
    return [...new Set(amounts)].map((amount) => ({ currency, amount }));
  });
}

/** An amount as the search table stores it: "BRL 04 1050". With the number of its digits before it, texts sort as numbers. */
export function amountTerm({ currency, amount }: SearchedAmount): string {
  return `${currency} ${String(amount.length).padStart(2, "0")} ${amount}`;
}

/** Ids from the lowest to the highest that begin with a text. */
export interface IdRange {
  readonly prefix: string;
  readonly lowest: string;
  readonly highest: string;
}

const SUFFIX_LENGTH = 26;
/** The first ten characters of an id are its time in ms, so eight of them name about a second of a merchant's ids. */
const ID_START = /^\s*([a-z]{2,5})_([0-9a-hjkmnp-tv-z]{8,26})\s*$/i;

/**
 * The range of the ids that begin with the text; null for a text that is no id or too short to name few. All ids of a kind
 * have one length and one alphabet, so the range is the same in every collation.
 */
export function readIdRange(typed: string): IdRange | null {
  const [, prefix, start] = ID_START.exec(typed.toLowerCase()) ?? [];
  if (prefix === undefined || start === undefined) return null;
  const padded = (filler: string) => `${prefix}_${start.padEnd(SUFFIX_LENGTH, filler)}`;
  return { prefix, lowest: padded("0"), highest: padded("z") };
}
