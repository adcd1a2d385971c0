// Converts amounts between our minor units (ISO 4217) and decimal JSON numbers in major units, as some providers write them:
// exactly, or not at all.
import { isKnownCurrency, minorUnitDigits } from "@/server/domain/currencies";
import { type Exponents, toProviderUnits } from "./exponents";

/** A decimal of up to 15 digits and its JSON number determine each other; a longer one is not exact. */
const EXACT_DIGITS = 15;

/** Returns an amount as a decimal number with the provider's digits, or null if the provider cannot express it. */
export function toDecimalNumber(amount: bigint, currency: string, exponents: Exponents): number | null {
  const units = toProviderUnits(amount, currency, exponents);
  if (units === null || units < 0n || units.toString().length > EXACT_DIGITS) return null;
  const digits = exponents[currency] ?? minorUnitDigits(currency);
  const text = units.toString().padStart(digits + 1, "0");
  const point = text.length - digits;
  return Number(`${text.slice(0, point)}.${text.slice(point)}0`);
}

/** Returns a provider's decimal number in our minor units, or null if it is not exact in them. */
export function fromDecimalNumber(value: number, currency: string): bigint | null {
  if (!isKnownCurrency(currency)) return null;
  const [, sign, whole, fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value.toString()) ?? [];
  if (whole === undefined || (whole + fraction).replace(/^0+/, "").length > EXACT_DIGITS) return null;
  const digits = minorUnitDigits(currency);
  if (fraction.length > digits) return null;
  const amount = BigInt(whole + fraction.padEnd(digits, "0"));
  return sign === "-" ? -amount : amount;
}
