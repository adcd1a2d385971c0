import { isKnownCurrency } from "@/server/domain/currencies";
import type { Texts } from "../i18n/dashboard-texts";
import { formatAmount } from "./format-amount";

/**
 * Minor units with their currency, without a sign: "1,050.00 BRL". A provider's report can name a currency that nobody
 * knows, whose minor unit is unknown too.
 */
export function sumText(texts: Texts, minorUnits: string, currency: string): string {
  if (!isKnownCurrency(currency)) return texts("common.minorUnits", { minorUnits, currency });
  return `${formatAmount(texts, minorUnits.replace("-", ""), currency)} ${currency}`;
}
