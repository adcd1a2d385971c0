// The commit that confirms a journal entry: its booking, its exception and its audit entry, all or nothing.
import type { Books } from "@/server/domain/books";
import { isSumBooked, type JournalPosting, type JournalState, journalTransaction } from "@/server/domain/journal";
import { providerOfFact } from "@/server/domain/reconciliation-exceptions";
import type { CallContext } from "@/server/domain/scope";
import { withNobodysRows } from "@/server/platform/reach";
import type { Act } from "./audit/record";
import { type BookedIntent, findAllMovements } from "./booked-movements";
import { openClearingAccounts } from "./clearing-accounts";
import { inTransaction } from "./client";
import { bookWithin } from "./commit/book-within";
import { type Verdict, verdictOf } from "./commit/commit";
import { resolveExceptionWithin, type StoredException } from "./exceptions";
import { decideEntryWithin, type StoredJournalEntry } from "./journal";
import { lineIdOf, noteHandBookingWithin } from "./reconciliation/hand-bookings";
import { holdLinesWithin } from "./reconciliation/import";
import type { Transaction } from "./transaction";

export interface JournalConfirmation {
  readonly context: CallContext;
  readonly act: Act;
  /** The merchant's time of the booking. */
  readonly at: Date;
  /** Resolved in the same commit. */
  readonly exception: StoredException | null;
  /** True if the line of the exception is booked already; asked while no other entry about such a line is confirmed. */
  readonly isLineBooked: () => Promise<boolean>;
  /** The intent that the entry is about: nothing may have been booked of it since the proposal, in the merchant's time. */
  readonly about: { readonly intent: BookedIntent; readonly since: Date } | null;
}

/** What is booked of the intent through the entry's provider, by reports and by hand. */
export function findBooksOf(intent: BookedIntent, { provider }: JournalPosting): Promise<Books> {
  return findAllMovements(intent, provider ?? "");
}

/**
 * True if another entry of the same posting about the same object is confirmed. Waits for one that is decided at this moment; all
 * wait in the same order, so none waits for another that waits for it.
 */
async function isEqualConfirmedWithin(transaction: Transaction, entry: StoredJournalEntry): Promise<boolean> {
  const others = await transaction.query<{ readonly id: string; readonly state: JournalState }>(
    `SELECT id, state FROM journal_entry
     WHERE merchant_id = $1 AND environment = $2 AND (id = $4 OR object_id = $3) AND state <> 'rejected'
       AND (from_account, to_account, currency, amount, coalesce(provider, '')) = ($5, $6, $7, $8::numeric, coalesce($9, ''))
     ORDER BY id FOR UPDATE`,
    entry.merchantId,
    entry.environment,
    entry.objectId,
    entry.id,
    entry.from,
    entry.to,
    entry.currency,
    entry.amount.toString(),
    entry.provider,
  );
  return others.some(({ id, state }) => id !== entry.id && state === "confirmed");
}

/** True if the books have a movement of the intent at this or a later time, in the merchant's time. */
async function isBookedSinceWithin(transaction: Transaction, intent: BookedIntent, since: Date): Promise<boolean> {
  const rows = await transaction.query(
    `SELECT FROM ledger_transaction
     WHERE merchant_id = $1 AND coalesce(intent_id, journaled_intent_id) = $2 AND created_at >= $3::timestamptz LIMIT 1`,
    intent.merchantId,
    intent.id,
    since,
  );
  return rows.length > 0;
}

/** Rounds of a confirmation: one is lost when a booking of its intent is made at the same moment. */
const ROUNDS = 10;

/** Takes a confirmation back of which a part had been done already. */
class ConfirmationRefused extends Error {
  constructor(readonly what: "decided_before" | "resolved_before" | "booked_before" | "booked_since" | "line_booked") {
    super(what);
  }
}

/**
 * Books the entry and resolves its exception with the confirmation, all or nothing. decided_before, resolved_before:
 * somebody else was faster with the entry or with its exception. booked_before: the same sum of the same intent is booked, by a
 * report or an entry, and the entry is not additional. line_booked: its line of a settlement file is booked, and it is not
 * additional. booked_since: the books of its intent have changed since the proposal. insufficient_balance: the wallet does not hold
 * the sum. guard_failed: the books of its intent keep changing. Waits for an import of its provider's lines.
 */
export async function confirmJournalEntry(
  entry: StoredJournalEntry,
  { context, act, at, exception, isLineBooked, about }: JournalConfirmation,
): Promise<Verdict | ConfirmationRefused["what"]> {
  const posting = journalTransaction(entry);
  await openClearingAccounts(entry, [posting]);
  const booked = { objectId: entry.id, effects: { context, action: "journal.book", reason: entry.evidence } };
  const refuseIf = (isRefused: boolean, what: ConfirmationRefused["what"]) => {
    if (isRefused) throw new ConfirmationRefused(what);
  };
  const work = async (within: Transaction, books: Books | null): Promise<Verdict> => {
    const provider = exception && providerOfFact(exception.fact);
    const noted = exception && { fact: exception.fact, lineId: provider === null ? null : lineIdOf(exception) };
    // An import judges lines and resolves their exceptions in one transaction, by what entries have booked and taken back.
    const held = provider ?? entry.provider;
    if (held !== null) await holdLinesWithin(within, entry.environment, held);
    refuseIf(provider !== null && !entry.isAdditional && (await isLineBooked()), "line_booked");
    const isEqualConfirmed = await isEqualConfirmedWithin(within, entry);
    refuseIf(!(await decideEntryWithin(within, entry, "confirmed", act, noted)), "decided_before");
    refuseIf(about !== null && (await isBookedSinceWithin(within, about.intent, about.since)), "booked_since");
    const isBooked = books !== null && isSumBooked(entry, books);
    refuseIf(!entry.isAdditional && (isBooked || isEqualConfirmed), "booked_before");
    if (exception) {
      const isResolved = await resolveExceptionWithin(within, exception, `Journal entry ${entry.id}.`, act);
      refuseIf(!isResolved, "resolved_before");
      if (provider !== null) await noteHandBookingWithin(within, exception, entry.merchantId);
    }
    // What is booked since the books were read takes the same number, which the database refuses.
    const place = books && about && { movementOrdinal: books.nextOrdinal, journaledIntentId: about.intent.id };
    await bookWithin(within, [{ ...booked, transaction: { ...posting, ...place } }], at);
    return "committed";
  };
  const attempt = async () => {
    const books = about && (await findBooksOf(about.intent, entry));
    // The exception may be nobody's.
    return withNobodysRows(() => inTransaction((within) => work(within, books)));
  };
  try {
    for (let round = 1; ; round += 1) {
      const verdict = await verdictOf(attempt);
      if (verdict !== "guard_failed" || round === ROUNDS) return verdict;
    }
  } catch (error) {
    if (error instanceof ConfirmationRefused) return error.what;
    throw error;
  }
}
