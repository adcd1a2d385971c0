// Owns how amounts are written for people: exact, from minor units, thousands grouped.
import { toDecimalString } from "@/server/domain/money";

/** Minor-unit text as people read it: ("123456", "BRL") → "1,234.56". Exact for any number of digits. */
export function formatAmount(minorUnits: string, currency: string): string {
  const [whole = "", fraction] = toDecimalString(BigInt(minorUnits), currency).split(".");
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ",");
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** Minor-unit text as machines read it: ("123456", "BRL") → "1234.56". */
export function plainAmount(minorUnits: string, currency: string): string {
  return toDecimalString(BigInt(minorUnits), currency);
}
