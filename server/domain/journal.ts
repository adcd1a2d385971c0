// Journal entries: movements between accounts that two operators book by hand.
import type { BookedMovement } from "./booked-movement";
import type { Books } from "./books";
import { DECISION_KEYS, type LedgerTransaction, transfer } from "./ledger";

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

/** What the unique keys of bookings start with that are no money of a payer. */
const NOT_OF_PAYER = ["provider_fee:", "provider_settlement:"];

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
 * True if the books of the intent that the entry is about have its sum through its provider: in one movement, or in several
 * together, by reports or other entries. A provider may have reported it in parts, and operators may have corrected what they
 * booked.
 */
export function isSumBooked({ from, currency, amount, provider }: JournalPosting, { movements }: Books): boolean {
  if (provider === null) return false;
  const moved = from === "provider_clearing" ? amount : -amount;
  const inCurrency = movements.filter((one) => one.currency === currency);
  const ofPayer = inCurrency.filter(({ uniqueKey }) => !NOT_OF_PAYER.some((prefix) => uniqueKey.startsWith(prefix)));
  return mayCombine(sumsOf(ofPayer), moved) || inCurrency.some((one) => one.amount === moved);
}

/**
 * True for a movement that people booked by hand: by an entry, or by a decision on money in suspense. No sums tell whether a later
 * report is of this money (people correct and split what they book), so each is for a person to judge.
 */
export function isByHand({ uniqueKey }: BookedMovement): boolean {
  return uniqueKey.startsWith(JOURNAL_KEYS) || uniqueKey.startsWith(DECISION_KEYS);
}

/** With more movements of one intent, only a person can tell which sums they make. */
const MAXIMUM_COMBINED = 12;

/** The sums of one or more of the movements; null if there are too many. */
function sumsOf(movements: readonly BookedMovement[]): ReadonlySet<bigint> | null {
  if (movements.length > MAXIMUM_COMBINED) return null;
  const sums = new Set<bigint>();
  for (const { amount } of movements) {
    for (const sum of [0n, ...sums]) sums.add(sum + amount);
  }
  return sums;
}

/** True if the wanted sum is, or may be, one of them. */
function mayCombine(sums: ReadonlySet<bigint> | null, wanted: bigint): boolean {
  return sums === null || sums.has(wanted);
}
