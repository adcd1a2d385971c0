import { toDecimalString, toReadableString } from "@/server/domain/money";

/** Formats minor units for people ("123456", "BRL") → "1,234.56". Exact for any number of digits. */
export function formatAmount(minorUnits: string, currency: string): string {
  return toReadableString(BigInt(minorUnits), currency);
}

/** Formats minor units for machines ("123456", "BRL") → "1234.56". */
export function plainAmount(minorUnits: string, currency: string): string {
  return toDecimalString(BigInt(minorUnits), currency);
}
