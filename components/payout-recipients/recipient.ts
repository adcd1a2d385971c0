// Saved recipients in words.

import type { PresentedRecipient } from "@/server/trpc/payout-recipients";
import type { Texts } from "../i18n/dashboard-texts";

export type Recipient = PresentedRecipient;

/** "•••• 3456 · bank 001". */
export function accountText(texts: Texts, { account_last4: last4, bank_code: bank }: Recipient): string {
  return texts("recipients.last4BankBank", { last4, bank });
}

/** "24 hours", "90 minutes"; seconds in whole units. */
export function durationText(texts: Texts, seconds: number): string {
  for (const [unit, length] of UNITS) {
    const count = seconds / length;
    if (Number.isInteger(count)) return texts(`recipients.${unit}`, { count });
  }
  return texts("recipients.seconds", { count: seconds });
}

const UNITS = [
  ["hours", 3_600],
  ["minutes", 60],
] as const;
