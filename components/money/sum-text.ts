import { isKnownCurrency } from "@/server/domain/currencies";
import { formatAmount } from "./format-amount";

/**
 * Minor units with their currency, without a sign: "1,050.00 BRL". A provider's report can name a currency that nobody
 * knows, whose minor unit is unknown too.
 */
export function sumText(minorUnits: string, currency: string): string {
  if (!isKnownCurrency(currency)) return `${minorUnits} minor units of ${currency}`;
  return `${formatAmount(minorUnits.replace("-", ""), currency)} ${currency}`;
}
