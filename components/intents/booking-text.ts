// The ledger's names in words. What this version does not know is shown as it is, without underscores.
import { LEDGER_ACCOUNTS, LEDGER_REASONS } from "@/server/domain/ledger";
import type { Texts } from "../i18n/dashboard-texts";

function spaced(name: string): string {
  const text = name.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Why a transaction was booked: "Payout hold". */
export function bookingText(texts: Texts, reason: string): string {
  const known = LEDGER_REASONS.find((one) => one === reason);
  return known === undefined ? spaced(reason) : texts(`intents.booking_${known}`);
}

/** An account: "Available"; a clearing account has its provider's name behind a colon. */
export function accountText(texts: Texts, account: string): string {
  const [kind = "", ...rest] = account.split(":");
  const known = LEDGER_ACCOUNTS.find((one) => one === kind);
  const name = known === undefined ? spaced(kind) : texts(`intents.account_${known}`);
  return [name, ...rest].join(":");
}
