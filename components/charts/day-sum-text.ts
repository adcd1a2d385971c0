import { formatAmount } from "../money/format-amount";

/** What a bar of a chart says: "2026-11-21: 1,050.00 BRL"; minor units. */
export function daySumText(day: string, amount: string, currency: string): string {
  return `${day}: ${formatAmount(amount, currency)} ${currency}`;
}
