import { toDecimalString } from "@/server/domain/money";

/** Formats minor units for machines ("123456", "BRL") → "1234.56". */
export function plainAmount(minorUnits: string, currency: string): string {
  return toDecimalString(BigInt(minorUnits), currency);
}
