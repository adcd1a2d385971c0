// The words for the reasons of bookings, on pages and in files.
import type { LedgerReason } from "./ledger";

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

/** A booking's reason in words; an unknown reason is returned unchanged. */
export function movementWords(reason: string): string {
  return Object.hasOwn(WORDS, reason) ? WORDS[reason as LedgerReason] : reason.replaceAll("_", " ");
}
