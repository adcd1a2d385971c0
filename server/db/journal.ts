// The rows of journal entries: proposed by one operator, decided by another, booked in the commit of the confirmation.
import type { Books } from "@/server/domain/books";
import {
  isSumBooked,
  type JournalAccount,
  type JournalPosting,
  type JournalState,
  journalTransaction,
} from "@/server/domain/journal";
import { providerOfFact } from "@/server/domain/reconciliation-exceptions";
import type { CallContext, Environment, Scope } from "@/server/domain/scope";
import { withinMerchantOrAll, withNobodysRows } from "@/server/platform/reach";
import { type Act, recordChange } from "./audit/record";
import { type BookedIntent, findAllMovements } from "./booked-movements";
import { openClearingAccounts } from "./clearing-accounts";
import { inTransaction, query, queryAcrossMerchants } from "./client";
import { bookWithin } from "./commit/book-within";
import { type Verdict, verdictOf } from "./commit/commit";
import { resolveExceptionWithin, type StoredException } from "./exceptions";
import { holdImportsWithin } from "./reconciliation/import";
import type { Transaction } from "./transaction";

export interface StoredJournalEntry extends JournalPosting, Scope {
  readonly evidence: string;
  /** The exception that its confirmation resolves. */
  readonly exceptionId: string | null;
  /** What it is about, as its exception says or its proposer; null for nothing, and from a release that did not note it. */
  readonly objectId: string | null;
  /** True if its proposer says that it is further money, although the books have the same sum of the same intent. */
  readonly isAdditional: boolean;
  /** Keyed, over the proposal; null where a release without digests stored it. */
  readonly digest: string | null;
  readonly state: JournalState;
  /** Names of operators. */
  readonly proposedBy: string;
  readonly proposedAt: Date;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
}

interface Row {
  merchant_id: string;
  id: string;
  environment: Environment;
  from_account: JournalAccount;
  to_account: JournalAccount;
  currency: string;
  amount: string;
  provider: string | null;
  evidence: string;
  exception_id: string | null;
  object_id: string | null;
  is_additional: boolean;
  digest: string | null;
  state: JournalState;
  proposed_by_id: string;
  proposed_at: Date;
  decided_by_id: string | null;
  decided_at: Date | null;
}

const COLUMNS = `merchant_id, id, environment, from_account, to_account, currency, amount::text, provider, evidence,
  exception_id, object_id, is_additional, digest, state, proposed_by_id, proposed_at, decided_by_id, decided_at`;

function fromRow(row: Row): StoredJournalEntry {
  return {
    merchantId: row.merchant_id,
    id: row.id,
    environment: row.environment,
    from: row.from_account,
    to: row.to_account,
    currency: row.currency,
    amount: BigInt(row.amount),
    provider: row.provider,
    evidence: row.evidence,
    exceptionId: row.exception_id,
    objectId: row.object_id,
    isAdditional: row.is_additional,
    digest: row.digest,
    state: row.state,
    proposedBy: row.proposed_by_id,
    proposedAt: row.proposed_at,
    decidedBy: row.decided_by_id,
    decidedAt: row.decided_at,
  };
}

/** What the audit log tells of one, beside its evidence. */
function auditFacts(entry: StoredJournalEntry) {
  const { from, to, currency, amount, provider, state } = entry;
  const about = { exception_id: entry.exceptionId, object_id: entry.objectId, is_additional: entry.isAdditional };
  return { from, to, currency, amount: amount.toString(), provider, ...about, state };
}

export type NewJournalEntry = Omit<
  StoredJournalEntry,
  "state" | "proposedBy" | "proposedAt" | "decidedBy" | "decidedAt"
>;

/** Stores a proposal, with its audit entry. */
export function insertJournalEntry(proposal: NewJournalEntry, act: Act): Promise<StoredJournalEntry> {
  const { merchantId, environment, evidence } = proposal;
  return inTransaction(async (transaction) => {
    const [row] = await transaction.query<Row>(
      `INSERT INTO journal_entry (merchant_id, id, environment, from_account, to_account, currency, amount, provider,
                                  evidence, exception_id, object_id, is_additional, digest, state, proposed_by_id,
                                  proposed_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7::numeric, $8, $9, $10, $11, $12, $13, 'proposed', $14, $15::timestamptz)
       RETURNING ${COLUMNS}`,
      merchantId,
      proposal.id,
      environment,
      proposal.from,
      proposal.to,
      proposal.currency,
      proposal.amount.toString(),
      proposal.provider,
      evidence,
      proposal.exceptionId,
      proposal.objectId,
      proposal.isAdditional,
      proposal.digest,
      act.actor.id,
      act.at,
    );
    const stored = fromRow(row as Row);
    const change = { merchantId, environment, action: "journal.propose", objectId: stored.id };
    await recordChange(transaction, { ...change, before: null, after: { ...auditFacts(stored), evidence } }, act);
    return stored;
  });
}

async function decideWithin(
  transaction: Transaction,
  entry: StoredJournalEntry,
  state: "confirmed" | "rejected",
  act: Act,
  fact: string | null = null,
): Promise<StoredJournalEntry | null> {
  const { merchantId, environment, id: objectId } = entry;
  const [row] = await transaction.query<Row>(
    `UPDATE journal_entry
     SET state = $3, decided_by_id = $4, decided_at = greatest(proposed_at, $5::timestamptz), exception_fact = $6
     WHERE merchant_id = $1 AND id = $2 AND state = 'proposed' RETURNING ${COLUMNS}`,
    merchantId,
    objectId,
    state,
    act.actor.id,
    act.at,
    fact,
  );
  if (!row) return null;
  const decided = fromRow(row);
  const action = state === "confirmed" ? "journal.confirm" : "journal.reject";
  const change = { merchantId, environment, action, objectId, before: auditFacts(entry), after: auditFacts(decided) };
  await recordChange(transaction, change, act);
  return decided;
}

/** Rejects a proposal; null when it is decided already. */
export function rejectJournalEntry(entry: StoredJournalEntry, act: Act): Promise<StoredJournalEntry | null> {
  return inTransaction((transaction) => decideWithin(transaction, entry, "rejected", act));
}

export interface JournalConfirmation {
  readonly context: CallContext;
  readonly act: Act;
  /** The merchant's time of the booking. */
  readonly at: Date;
  /** Resolved in the same commit. */
  readonly exception: StoredException | null;
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
  constructor(readonly what: "decided_before" | "resolved_before" | "booked_before" | "booked_since") {
    super(what);
  }
}

/**
 * Books the entry and resolves its exception with the confirmation, all or nothing. decided_before, resolved_before:
 * somebody else was faster with the entry or with its exception. booked_before: the same sum of the same intent is booked, by a
 * report or an entry, and the entry is not additional. booked_since: the books of its intent have changed since the proposal.
 * insufficient_balance: the wallet does not hold the sum. guard_failed: the books of its intent keep changing. Waits for an import
 * that may judge the line of its exception.
 */
export async function confirmJournalEntry(
  entry: StoredJournalEntry,
  { context, act, at, exception, about }: JournalConfirmation,
): Promise<Verdict | ConfirmationRefused["what"]> {
  const posting = journalTransaction(entry);
  await openClearingAccounts(entry, [posting]);
  const booked = { objectId: entry.id, effects: { context, action: "journal.book", reason: entry.evidence } };
  const refuseIf = (isRefused: boolean, what: ConfirmationRefused["what"]) => {
    if (isRefused) throw new ConfirmationRefused(what);
  };
  const work = async (within: Transaction, books: Books | null): Promise<Verdict> => {
    const { fact = null } = exception ?? {};
    const provider = fact && providerOfFact(fact);
    // An import judges a line and resolves its exception in one transaction; it leaves a line alone that an entry has booked.
    if (provider) await holdImportsWithin(within, entry.environment, provider);
    const isEqualConfirmed = await isEqualConfirmedWithin(within, entry);
    refuseIf(!(await decideWithin(within, entry, "confirmed", act, fact)), "decided_before");
    refuseIf(about !== null && (await isBookedSinceWithin(within, about.intent, about.since)), "booked_since");
    const isBooked = books !== null && isSumBooked(entry, books);
    refuseIf(!entry.isAdditional && (isBooked || isEqualConfirmed), "booked_before");
    if (exception) {
      const isResolved = await resolveExceptionWithin(within, exception, `Journal entry ${entry.id}.`, act);
      refuseIf(!isResolved, "resolved_before");
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

/** The journal entry of an id, or null: the operator who names it need not know whose it is. */
export async function findJournalEntryAcrossMerchants(id: string): Promise<StoredJournalEntry | null> {
  const [row] = await queryAcrossMerchants<Row>(`SELECT ${COLUMNS} FROM journal_entry WHERE id = $1`, id);
  return row ? fromRow(row) : null;
}

/** Up to `count` journal entries, the oldest first; of every merchant where none is named. */
export async function listJournalEntriesAcrossMerchants(
  filter: { readonly merchantId: string | null; readonly openOnly: boolean },
  count: number,
): Promise<StoredJournalEntry[]> {
  const rows = await withinMerchantOrAll(filter.merchantId, () =>
    query<Row>(
      `SELECT ${COLUMNS} FROM journal_entry
       WHERE ($1::text IS NULL OR merchant_id = $1) AND (NOT $2 OR state = 'proposed')
       ORDER BY proposed_at, id LIMIT $3`,
      filter.merchantId,
      filter.openOnly,
      count,
    ),
  );
  return rows.map(fromRow);
}
