// Converts amounts between our minor units (ISO 4217) and Xendit's, which are decimal JSON numbers in major units: exactly, or
// not at all.
import { isKnownCurrency, minorUnitDigits } from "@/server/domain/currencies";
import { toProviderUnits } from "../http/exponents";
import { EXPONENTS } from "./tables";

/** A decimal of up to 15 digits and its JSON number determine each other; a longer one is not exact. */
const EXACT_DIGITS = 15;

/** Returns an amount as Xendit writes it, or null if Xendit cannot express it. */
export function toXenditAmount(amount: bigint, currency: string): number | null {
  const units = toProviderUnits(amount, currency, EXPONENTS);
  if (units === null || units < 0n || units.toString().length > EXACT_DIGITS) return null;
  const digits = EXPONENTS[currency] ?? minorUnitDigits(currency);
  const text = units.toString().padStart(digits + 1, "0");
  const point = text.length - digits;
  return Number(`${text.slice(0, point)}.${text.slice(point)}0`);
}

/** Returns an amount of Xendit in our minor units, or null if it is not exact in them. */
export function fromXenditAmount(value: number, currency: string): bigint | null {
  if (!isKnownCurrency(currency)) return null;
  const [, sign, whole, fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value.toString()) ?? [];
  if (whole === undefined || (whole + fraction).replace(/^0+/, "").length > EXACT_DIGITS) return null;
  const digits = minorUnitDigits(currency);
  if (fraction.length > digits) return null;
  const amount = BigInt(whole + fraction.padEnd(digits, "0"));
  return sign === "-" ? -amount : amount;
}
