// Amounts: text on the wire, bigint minor units in code, never a JavaScript number.
import { isIsoCurrency, minorUnitDigits } from "./currencies";

/** The wire form of an amount: no sign, no leading zero, at most 30 digits (interface §2). */
export const AMOUNT_PATTERN = /^[1-9][0-9]{0,29}$/;

const MAX_ISO_DIGITS = 15;

/** The largest sum that an amount can say, in minor units: 30 digits. What is computed from one may be more. */
export const LARGEST_AMOUNT = 10n ** 30n - 1n;

/**
 * Reads a wire amount as minor units. The text is tested before `BigInt` sees it, because `BigInt("")` is 0n and
 * `BigInt("0x10")` is 16n. Returns null when the text is not an amount of that currency.
 */
export function parseAmount(text: string, currency: string): bigint | null {
  if (!AMOUNT_PATTERN.test(text)) return null;
  if (isIsoCurrency(currency) && text.length > MAX_ISO_DIGITS) return null;
  return BigInt(text);
}

/** Minor units as a decimal string of the currency: (1050n, "BRL") → "10.50", (7n, "JPY") → "7". */
export function toDecimalString(minorUnits: bigint, currency: string): string {
  const digits = minorUnitDigits(currency);
  const sign = minorUnits < 0n ? "-" : "";
  const text = (minorUnits < 0n ? -minorUnits : minorUnits).toString().padStart(digits + 1, "0");
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** Minor units as people read them, with commas between thousands: (123456n, "BRL") → "1,234.56". Exact. */
export function toReadableString(minorUnits: bigint, currency: string): string {
  const [whole = "", fraction] = toDecimalString(minorUnits, currency).split(".");
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ",");
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** Whole major units in minor units: (1_000_000n, "KWD") → 1_000_000_000n. */
export function fromMajorUnits(majorUnits: bigint, currency: string): bigint {
  return majorUnits * 10n ** BigInt(minorUnitDigits(currency));
}
