// Reading what happened to one intent: its audit entries, calls to providers, approvals, event and ledger entries.
import { query } from "./client";

export interface AuditRecord {
  readonly id: string;
  readonly actorType: string;
  readonly actorId: string;
  readonly action: string;
  readonly reason: string | null;
  readonly requestId: string | null;
  readonly at: Date;
}

/** The audit entries about an object, oldest first. */
export async function listAuditOf(merchantId: string, objectId: string): Promise<AuditRecord[]> {
  const rows = await query<{
    id: string;
    actor_type: string;
    actor_id: string;
    action: string;
    reason: string | null;
    request_id: string | null;
    created_at: Date;
  }>(
    `SELECT id, actor_type, actor_id, action, reason, request_id, created_at FROM audit_entry
     WHERE merchant_id = $1 AND object_id = $2 ORDER BY created_at, id`,
    merchantId,
    objectId,
  );
  return rows.map(({ actor_type, actor_id, request_id, created_at, ...row }) => ({
    ...row,
    actorType: actor_type,
    actorId: actor_id,
    requestId: request_id,
    at: created_at,
  }));
}

export interface AttemptRecord {
  readonly ordinal: number;
  readonly provider: string;
  readonly state: string;
  readonly outcome: string | null;
  readonly providerReference: string | null;
  readonly providerCode: string | null;
  /** The merchant's account under the provider's account; null for that account itself. */
  readonly subAccount: string | null;
  readonly startedAt: Date;
  readonly answeredAt: Date | null;
}

/** The calls to providers about an intent, oldest first. */
export async function listAttemptsOf(merchantId: string, intentId: string): Promise<AttemptRecord[]> {
  return query<AttemptRecord>(
    `SELECT ordinal, provider, state, outcome, provider_reference AS "providerReference",
            provider_code AS "providerCode", provider_sub_account AS "subAccount", started_at AS "startedAt", answered_at AS "answeredAt"
     FROM provider_attempt WHERE merchant_id = $1 AND intent_id = $2 ORDER BY ordinal`,
    merchantId,
    intentId,
  );
}

export interface ApprovalRecord {
  readonly payoutId: string;
  readonly memberId: string;
  readonly at: Date;
}

/** Who has approved these payouts, oldest first. */
export async function listApprovalsOf(merchantId: string, payoutIds: readonly string[]): Promise<ApprovalRecord[]> {
  return query<ApprovalRecord>(
    `SELECT payout_id AS "payoutId", member_id AS "memberId", created_at AS at
     FROM approval WHERE merchant_id = $1 AND payout_id = ANY($2::text[]) ORDER BY created_at`,
    merchantId,
    payoutIds,
  );
}

export interface EventRecord {
  readonly id: string;
  readonly type: string;
  readonly failureCode: string | null;
  readonly failureMessage: string | null;
  readonly at: Date;
}

/** The event of an intent's end, or null while there is none. */
export async function findEventOf(merchantId: string, intentId: string): Promise<EventRecord | null> {
  const [row] = await query<EventRecord>(
    `SELECT id, type, failure_code AS "failureCode", failure_message AS "failureMessage", created_at AS at
     FROM event WHERE merchant_id = $1 AND intent_id = $2`,
    merchantId,
    intentId,
  );
  return row ?? null;
}

export interface EntryRecord {
  readonly transactionId: string;
  /** Of the transaction. */
  readonly uniqueKey: string;
  readonly reason: string;
  readonly account: string;
  readonly currency: string;
  /** Minor units; negative takes from the account. */
  readonly amount: bigint;
  readonly at: Date;
}

/** The ledger entries of an intent, oldest transaction first. */
export async function listEntriesOf(merchantId: string, intentId: string): Promise<EntryRecord[]> {
  const rows = await query<Omit<EntryRecord, "amount"> & { amount: string }>(
    `SELECT t.id AS "transactionId", t.unique_key AS "uniqueKey", t.reason, e.kind AS account, e.currency,
            e.amount::text AS amount, t.created_at AS at
     FROM ledger_transaction t
     JOIN ledger_entry e ON e.merchant_id = t.merchant_id AND e.transaction_id = t.id
     WHERE t.merchant_id = $1 AND t.intent_id = $2 ORDER BY t.created_at, t.id, e.amount, e.kind`,
    merchantId,
    intentId,
  );
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
}

/** What an actor is called. */
export interface ActorName {
  /** The member's own name, or the name of a key; null if a member has none. */
  readonly name: string | null;
  /** The member's address, which identifies them; null for a key. */
  readonly address: string | null;
}

/** Names of members and keys by id, for those of the ids that the merchant has. */
export async function findNames(merchantId: string, ids: readonly string[]): Promise<Map<string, ActorName>> {
  const rows = await query<ActorName & { id: string }>(
    `SELECT id, name, email AS address FROM member WHERE merchant_id = $1 AND id = ANY($2::text[])
     UNION ALL SELECT id, name, NULL FROM api_key WHERE merchant_id = $1 AND id = ANY($2::text[])`,
    merchantId,
    ids,
  );
  return new Map(rows.map(({ id, ...actor }) => [id, actor]));
}
