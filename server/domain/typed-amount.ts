import { minorUnitDigits } from "./currencies";

const PLAIN = /^(\d{1,20})(?:\.(\d+))?$/;
/** Commas only before groups of three, so that "1,25" is no amount: it may mean 1.25. */
const GROUPED = /^(\d{1,3}(?:,\d{3})+)(?:\.(\d+))?$/;

/** "1,234.5" of BRL → "123450"; null unless the text is a positive amount with at most the currency's digits. */
export function readTypedAmount(typed: string, currency: string): string | null {
  const digits = minorUnitDigits(currency);
  const text = typed.trim();
  const [, whole = "", fraction = ""] = PLAIN.exec(text) ?? GROUPED.exec(text) ?? [];
  if (whole === "" || fraction.length > digits) return null;
  const units = (whole.replaceAll(",", "") + fraction.padEnd(digits, "0")).replace(/^0+/, "");
  return units === "" ? null : units;
}
