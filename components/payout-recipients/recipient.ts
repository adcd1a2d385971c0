// Saved recipients in words.
import type { PresentedRecipient } from "@/server/trpc/payout-recipients";

export type Recipient = PresentedRecipient;

/** "•••• 3456 · bank 001". */
export function accountText({ account_last4: last4, bank_code: bank }: Recipient): string {
  return `•••• ${last4} · bank ${bank}`;
}

/** "24 hours", "90 minutes"; seconds in whole units. */
export function durationText(seconds: number): string {
  for (const [unit, length] of UNITS) {
    const count = seconds / length;
    if (Number.isInteger(count)) return `${count} ${unit}${count === 1 ? "" : "s"}`;
  }
  return `${seconds} seconds`;
}

const UNITS = [
  ["hour", 3_600],
  ["minute", 60],
] as const;
