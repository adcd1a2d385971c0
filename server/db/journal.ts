// The rows of journal entries: proposed by one operator and decided by another.
import type { JournalAccount, JournalPosting, JournalState } from "@/server/domain/journal";
import type { Environment, Scope } from "@/server/domain/scope";
import { withinMerchantOrAll } from "@/server/platform/reach";
import { type Act, recordChange } from "./audit/record";
import { inTransaction, query, queryAcrossMerchants } from "./client";
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

/** What a confirmed entry notes of the exception that it resolves. */
export interface NotedException {
  readonly fact: string;
  /** The provider's id of the settlement line that it is about; null if it is about none. */
  readonly lineId: string | null;
}

/** Decides a proposal in the caller's transaction, which resolves its exception; null when it is decided already. */
export async function decideEntryWithin(
  transaction: Transaction,
  entry: StoredJournalEntry,
  state: "confirmed" | "rejected",
  act: Act,
  exception: NotedException | null = null,
): Promise<StoredJournalEntry | null> {
  const { merchantId, environment, id: objectId } = entry;
  const [row] = await transaction.query<Row>(
    `UPDATE journal_entry
     SET state = $3, decided_by_id = $4, decided_at = greatest(proposed_at, $5::timestamptz), exception_fact = $6,
         line_id = $7
     WHERE merchant_id = $1 AND id = $2 AND state = 'proposed' RETURNING ${COLUMNS}`,
    merchantId,
    objectId,
    state,
    act.actor.id,
    act.at,
    exception?.fact ?? null,
    exception?.lineId ?? null,
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
  return inTransaction((transaction) => decideEntryWithin(transaction, entry, "rejected", act));
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
