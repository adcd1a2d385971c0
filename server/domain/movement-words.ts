// The words for the reasons of bookings, on pages and in files.
import type { DashboardLanguage } from "./dashboard-languages";
import type { LedgerReason } from "./ledger";
import { Phrasebook } from "./texts/sentence";
import { MOVEMENTS } from "./texts/statements";

const WORDS: Readonly<Record<LedgerReason, string>> = {
  funding: "Funding",
  payment_credit: "Payment received",
  payout_hold: "Set aside for a payout",
  payout_release: "Released from a payout",
  payout_settlement: "Payout sent",
  topup_credit: "Top-up credited",
  late_money: "Late money credited",
  amount_mismatch: "Amount mismatch",
  bank_return: "Payout came back",
  provider_fee: "Provider's fee",
  funds_dropped: "Funds vanished",
  provider_settlement: "Provider settlement",
  clearing_split: "Accounts split per provider",
  suspense_settlement: "Settled by a decision",
  journal: "Journal entry",
};

const book = new Phrasebook(MOVEMENTS, (_, text) => text);

/** A booking's reason in words; an unknown reason is shown by its name. */
export function movementWords(reason: string, language: DashboardLanguage = "en"): string {
  if (!Object.hasOwn(WORDS, reason)) return reason.replaceAll("_", " ");
  return book.say(language, WORDS[reason as LedgerReason]);
}
