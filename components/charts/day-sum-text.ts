import type { Texts } from "../i18n/dashboard-texts";
import { formatAmount } from "../money/format-amount";

/** What a bar of a chart says: "2026-11-21: 1,050.00 BRL"; minor units. */
export function daySumText(texts: Texts, day: string, amount: string, currency: string): string {
  return `${day}: ${formatAmount(texts, amount, currency)} ${currency}`;
}
