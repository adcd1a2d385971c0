// Journal entries: movements between accounts that two operators book by hand.
import type { Books } from "./books";
import { type LedgerTransaction, transfer } from "./ledger";

/** Accounts that a journal entry may name: held funds and money in suspense leave by their own decisions. */
export const JOURNAL_ACCOUNTS = ["available", "provider_clearing", "bank", "fees", "fx_spread", "funding"] as const;
export type JournalAccount = (typeof JOURNAL_ACCOUNTS)[number];

export const JOURNAL_STATES = ["proposed", "confirmed", "rejected"] as const;
export type JournalState = (typeof JOURNAL_STATES)[number];

/** What two operators book by hand; `id` is the journal entry's and makes it happen once. */
export interface JournalPosting {
  readonly id: string;
  readonly from: JournalAccount;
  readonly to: JournalAccount;
  readonly currency: string;
  /** Minor units. */
  readonly amount: bigint;
  /** Whose clearing account it is; null exactly where neither account is `provider_clearing`. */
  readonly provider: string | null;
}

/** What the unique keys of journal entries start with; nothing else of a key names what was booked. */
export const JOURNAL_KEYS = "journal:";

/** What the unique keys of bookings start with that no report of a payment has made. */
const NOT_REPORTED = [JOURNAL_KEYS, "provider_fee:", "provider_settlement:"];

/** The ledger transaction of a confirmed journal entry. */
export function journalTransaction({ id, from, to, currency, amount, provider }: JournalPosting): LedgerTransaction {
  const entries = transfer(from, to, currency, amount);
  return {
    reason: "journal",
    uniqueKey: `${JOURNAL_KEYS}${id}`,
    intentId: null,
    entries,
    ...(provider && { provider }),
  };
}

/**
 * True if the books of the intent that the entry is about have its sum through its provider, by a report or another entry. A
 * provider may have reported it in parts.
 */
export function isSumBooked({ from, currency, amount, provider }: JournalPosting, { movements }: Books): boolean {
  if (provider === null) return false;
  const moved = from === "provider_clearing" ? amount : -amount;
  const inCurrency = movements.filter((one) => one.currency === currency);
  const reported = inCurrency.filter(({ uniqueKey }) => !NOT_REPORTED.some((prefix) => uniqueKey.startsWith(prefix)));
  const total = reported.reduce((sum, one) => sum + one.amount, 0n);
  return total === moved || inCurrency.some((one) => one.amount === moved);
}
