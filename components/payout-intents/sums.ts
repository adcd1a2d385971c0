import type { Texts } from "../i18n/dashboard-texts";
import { formatAmount } from "../money/format-amount";
import type { Payout } from "./payout";

/** "1,500.00 BRL", one text per currency, by code. */
export function sumsOf(texts: Texts, payouts: readonly Pick<Payout, "amount" | "currency">[]): string[] {
  const sums = new Map<string, bigint>();
  for (const { amount, currency } of payouts) sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(amount));
  return [...sums]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, sum]) => `${formatAmount(texts, sum.toString(), currency)} ${currency}`);
}
