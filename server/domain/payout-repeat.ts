// What makes two payouts under one merchant reference the same.
import type { PayoutIntent } from "./payout-intent";

/** What makes two payouts economically the same, besides the account, which only its owner can compare. */
export function differingPayoutField(
  original: PayoutIntent,
  repeat: Pick<PayoutIntent, "amount" | "currency" | "country"> & {
    readonly recipient: Omit<PayoutIntent["recipient"], "accountLast4">;
  },
): string | null {
  if (original.amount !== repeat.amount) return "amount";
  if (original.currency !== repeat.currency) return "currency";
  if (original.country !== repeat.country) return "country";
  if (original.recipient.type !== repeat.recipient.type) return "recipient.type";
  if (original.recipient.bankCode !== repeat.recipient.bankCode) return "recipient.bank_code";
  return original.recipient.holderName === repeat.recipient.holderName ? null : "recipient.holder_name";
}
