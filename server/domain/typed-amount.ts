import { minorUnitDigits } from "./currencies";
import type { DashboardLanguage } from "./dashboard-languages";
import { decimalSignOf } from "./local-sum";

const LONGEST_WHOLE = 20;

/** The other of the two signs. */
function otherSign(sign: "." | ","): "." | "," {
  return sign === "." ? "," : ".";
}

interface Reading {
  readonly whole: string;
  readonly fraction: string;
}

/** The text with that sign before the decimals, and the other one only before groups of three: "1,25" is no amount then. */
function readWith(sign: "." | ",", text: string): Reading | null {
  const [whole = "", ...fractions] = text.split(sign);
  if (fractions.length > 1) return null;
  const [fraction] = fractions;
  if (fraction !== undefined && !/^\d+$/.test(fraction)) return null;
  const groups = whole.split(otherSign(sign));
  const isGrouped = groups.length > 1;
  if (!groups.every((group, at) => (at === 0 ? (isGrouped ? /^\d{1,3}$/ : /^\d+$/) : /^\d{3}$/).test(group)))
    return null;
  const digits = groups.join("");
  return !isGrouped && digits.length > LONGEST_WHOLE ? null : { whole: digits, fraction: fraction ?? "" };
}

function unitsOf({ whole, fraction }: Reading, digits: number): string | null {
  if (fraction.length > digits) return null;
  const units = (whole + fraction.padEnd(digits, "0")).replace(/^0+/, "");
  return units === "" ? null : units;
}

/** True if the text has as many decimals as the language shows of the currency: what it shows is never ambiguous. */
function isAsShown({ fraction }: Reading, digits: number): boolean {
  return fraction.length === digits;
}

/**
 * "1,234.5" of BRL → "123450" in English, "1.234,5" in Portuguese; null unless the text is a positive amount with
 * at most the currency's digits. A form reads what the language shows: a text with the other language's signs is null, and so
 * is one that both languages read, as different amounts, unless it is written with all decimals as the language shows it.
 */
export function readTypedAmount(typed: string, currency: string, language: DashboardLanguage = "en"): string | null {
  const digits = minorUnitDigits(currency);
  const text = typed.trim();
  const sign = decimalSignOf(language);
  const own = readWith(sign, text);
  if (own === null) return null;
  const units = unitsOf(own, digits);
  if (units === null || isAsShown(own, digits)) return units;
  const other = readWith(otherSign(sign), text);
  const otherUnits = other === null ? null : unitsOf(other, digits);
  return otherUnits === null || otherUnits === units ? units : null;
}
