import { minorUnitDigits } from "@/server/domain/currencies";

/** "1,234.5" of BRL → "123450"; null unless the text is a positive amount with at most the currency's digits. */
export function parseAmount(typed: string, currency: string): string | null {
  const digits = minorUnitDigits(currency);
  const [, whole = "", fraction = ""] = /^(\d{1,20})(?:\.(\d+))?$/.exec(typed.trim().replaceAll(",", "")) ?? [];
  if (whole === "" || fraction.length > digits) return null;
  const units = (whole + fraction.padEnd(digits, "0")).replace(/^0+/, "");
  return units === "" ? null : units;
}
