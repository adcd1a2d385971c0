// Amounts as Xendit writes them: decimal JSON numbers in major units, whole ones in IDR and VND.
import { fromDecimalNumber, toDecimalNumber } from "../http/decimal-numbers";
import { EXPONENTS } from "./tables";

/** Returns an amount as Xendit writes it, or null if Xendit cannot express it. */
export function toXenditAmount(amount: bigint, currency: string): number | null {
  return toDecimalNumber(amount, currency, EXPONENTS);
}

/** Returns an amount of Xendit in our minor units, or null if it is not exact in them. */
export function fromXenditAmount(value: number, currency: string): bigint | null {
  return fromDecimalNumber(value, currency);
}
