// Reads what audit entries cover, a stretch of rows at a time, each beside the entries that say what it must be.
import type { CoveredTransaction } from "@/server/domain/audit-cover";
import type { IntentCore } from "@/server/domain/transition";
import { query } from "../client";
import { type CoreRow, type RowMapping, selectList } from "../intents/row";

/** One audit entry about a row. */
interface CoveringEntry {
  readonly entryId: string;
  readonly after: Readonly<Record<string, unknown>>;
}

/** An entry about an intent or a booking from before the log covered the ledger; every such entry since has the list. */
const isOld = (entry: string) => `coalesce(${entry}.after->'ledger', 'null') = 'null'`;

export interface CoveredIntent<Intent> {
  readonly intent: Intent;
  /** Of its creation, in its environment and at its time; null where there is none. */
  readonly creation: CoveringEntry | null;
  /** Of its last change, by revision; null where there is none. */
  readonly latest: CoveringEntry | null;
  /** An entry says that the payer's details were erased. */
  readonly isPayerErased: boolean;
}

type Entries = Pick<CoveredIntent<never>, "creation" | "latest" | "isPayerErased">;

const covering = (condition: string) => `(
  SELECT jsonb_build_object('entryId', a.id, 'after', coalesce(a.after, '{}')) FROM audit_entry a
  WHERE a.merchant_id = t.merchant_id AND a.object_id = t.id AND ${condition}
  ORDER BY a.after->'revision' DESC LIMIT 1)`;

/** Up to `count` intents of one kind after `afterId`, by id. */
export async function readCoveredIntents<Intent extends IntentCore<string>, Row extends CoreRow>(
  mapping: RowMapping<Intent, Row>,
  merchantId: string,
  afterId: string,
  count: number,
): Promise<CoveredIntent<Intent>[]> {
  const { table } = mapping;
  const rows = await query<Row & Entries>(
    `SELECT ${selectList(mapping)},
            ${covering(`a.action = '${table}.create' AND a.environment = t.environment AND a.created_at = t.created_at`)}
              AS creation,
            ${covering(`starts_with(a.action, '${table}.') AND a.after->'revision' IS NOT NULL`)} AS latest,
            EXISTS (SELECT FROM audit_entry a WHERE a.merchant_id = t.merchant_id AND a.object_id = t.id
                    AND a.action = 'payer.erase') AS "isPayerErased"
     FROM ${table} t WHERE merchant_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
    merchantId,
    afterId,
    count,
  );
  return rows.map((row) => {
    const { creation, latest, isPayerErased } = row;
    return { intent: mapping.fromRow(row), creation, latest, isPayerErased };
  });
}

export interface StoredTransaction extends CoveredTransaction {
  readonly entryId: string | null;
  /** What its audit entry says the digest is; null where none covers it. */
  readonly digest: string | null;
  /** True when an entry without the list has its object and time; it must then be among those of the ledger's anchor. */
  readonly isOld: boolean;
}

/** What a merchant's chain records of the ledger transactions from before the log covered the ledger. */
export interface LedgerAnchor {
  readonly entryId: string;
  readonly transactions: number;
  /** SHA-256, hex, over the SHA-256 digests of all of them by id. */
  readonly digest: string;
}

/** The anchor that the upgrade wrote, the first in the chain; null where there were no such transactions. */
export async function readLedgerAnchor(merchantId: string): Promise<LedgerAnchor | null> {
  const [row] = await query<LedgerAnchor>(
    `SELECT e.id AS "entryId", (e.after->>'transactions')::int AS transactions, e.after->>'digest' AS digest
     FROM audit_entry e LEFT JOIN audit_link l ON l.merchant_id = e.merchant_id AND l.entry_id = e.id
     WHERE e.merchant_id = $1 AND e.object_id = $1 AND e.action = 'ledger.anchor'
     ORDER BY l.sequence LIMIT 1`,
    merchantId,
  );
  return row ?? null;
}

interface TransactionRow extends Omit<StoredTransaction, "entries"> {
  readonly entries: readonly (readonly [account: string, currency: string, amount: string])[];
}

/** Up to `count` ledger transactions after `afterId`, by id. The id names the entry, and its place in it. */
export async function readCoveredTransactions(
  merchantId: string,
  afterId: string,
  count: number,
): Promise<StoredTransaction[]> {
  const rows = await query<TransactionRow>(
    `SELECT t.merchant_id AS "merchantId", t.environment, t.id, t.reason, t.unique_key AS "uniqueKey",
            t.intent_id AS "intentId", t.created_at AS "createdAt", l.entries, a.id AS "entryId",
            a.after->'ledger'->>coalesce(substring(t.id FROM '_([0-9]{1,4})$')::int, 0) AS digest,
            a.id IS NULL AND EXISTS (
              SELECT FROM audit_entry o
              WHERE o.merchant_id = t.merchant_id AND o.environment = t.environment AND o.created_at = t.created_at
                AND o.object_id = coalesce(t.intent_id, 'wallet:' || (l.entries->0->>1)) AND ${isOld("o")}) AS "isOld"
     FROM (SELECT * FROM ledger_transaction WHERE merchant_id = $1 AND id > $2 ORDER BY id LIMIT $3) t
     LEFT JOIN LATERAL (
       SELECT id, after FROM audit_entry
       WHERE merchant_id = t.merchant_id AND id = 'aud_' || substr(t.id, 5, 26) AND t.id ~ '^ltx_.{26}(_[0-9]{1,4})?$'
       LIMIT 1) a ON true
     CROSS JOIN LATERAL (
       SELECT coalesce(jsonb_agg(jsonb_build_array(e.kind, e.currency, e.amount::text)), '[]') AS entries
       FROM ledger_entry e
       WHERE e.merchant_id = t.merchant_id AND e.transaction_id = t.id AND e.environment = t.environment) l
     ORDER BY t.id`,
    merchantId,
    afterId,
    count,
  );
  return rows.map((row) => ({
    ...row,
    entries: row.entries.map(([account, currency, amount]) => ({ account, currency, amount: BigInt(amount) })),
  }));
}

/** Looks at up to `count` entries of the ledger after `afterId`, by transaction, for such as are in no transaction. */
export async function readUncoveredEntries(
  merchantId: string,
  afterId: string,
  count: number,
): Promise<{ lastId: string | null; strayIds: readonly string[] }> {
  const [row] = await query<{ last_id: string | null; stray_ids: string[] | null }>(
    `SELECT max(e.transaction_id) AS last_id,
            array_agg(DISTINCT e.transaction_id) FILTER (WHERE t.id IS NULL) AS stray_ids
     FROM (SELECT transaction_id FROM ledger_entry WHERE merchant_id = $1 AND transaction_id > $2
           ORDER BY transaction_id LIMIT $3) e
     LEFT JOIN ledger_transaction t ON t.merchant_id = $1 AND t.id = e.transaction_id`,
    merchantId,
    afterId,
    count,
  );
  return { lastId: row?.last_id ?? null, strayIds: row?.stray_ids ?? [] };
}

export interface StoredApproval {
  readonly payoutId: string;
  readonly memberId: string;
  readonly entryId: string | null;
  /** False when it is not as its entry says; true where an entry from before approvals were covered tells of it. */
  readonly isAsAudited: boolean;
}

/** Up to `count` approvals after one of `after`, by payout and member. */
export function readCoveredApprovals(
  merchantId: string,
  after: Pick<StoredApproval, "payoutId" | "memberId">,
  count: number,
): Promise<StoredApproval[]> {
  return query<StoredApproval>(
    `SELECT v.payout_id AS "payoutId", v.member_id AS "memberId", a.id AS "entryId",
            coalesce(a.is_old OR a.approval = jsonb_build_object('member_id', v.member_id, 'digest', v.digest,
              'revision', v.revision, 'policy_version', v.policy_version), false) AS "isAsAudited"
     FROM (SELECT * FROM approval WHERE merchant_id = $1 AND (payout_id, member_id) > ($2, $3)
           ORDER BY payout_id, member_id LIMIT $4) v
     LEFT JOIN LATERAL (
       SELECT id, after->'approval' AS approval, ${isOld("e")} AS is_old FROM audit_entry e
       WHERE e.merchant_id = v.merchant_id AND e.object_id = v.payout_id
         AND coalesce(e.after->'approval'->>'member_id', e.actor_id) = v.member_id
         AND e.created_at = v.created_at AND starts_with(e.action, 'payout_intent.approve')
       LIMIT 1) a ON true
     ORDER BY v.payout_id, v.member_id`,
    merchantId,
    after.payoutId,
    after.memberId,
    count,
  );
}

/** A recorded step of a top-up's totals. */
export interface StoredTotal {
  readonly intentId: string;
  readonly ordinal: number;
  readonly entryId: string | null;
  readonly isAsAudited: boolean;
}

/** Up to `count` steps of top-ups' totals after one of `after`, by top-up and number. */
export function readCoveredTotals(
  merchantId: string,
  after: Pick<StoredTotal, "intentId" | "ordinal">,
  count: number,
): Promise<StoredTotal[]> {
  return query<StoredTotal>(
    `SELECT t.intent_id AS "intentId", t.ordinal, a.id AS "entryId",
            coalesce(a.created_at = t.created_at AND a.total = jsonb_build_object(
              'ordinal', t.ordinal, 'currency', t.currency, 'base_amount', t.base_amount::text,
              'reported_amount', t.reported_amount::text, 'seen_amount', t.seen_amount::text), false) AS "isAsAudited"
     FROM (SELECT * FROM topup_total WHERE merchant_id = $1 AND (intent_id, ordinal) > ($2, $3::int)
           ORDER BY intent_id, ordinal LIMIT $4) t
     LEFT JOIN LATERAL (
       SELECT id, created_at, after->'total' AS total FROM audit_entry e
       WHERE e.merchant_id = t.merchant_id AND e.object_id = t.intent_id AND e.environment = t.environment
         AND e.after->'total'->'ordinal' = to_jsonb(t.ordinal)
       LIMIT 1) a ON true
     ORDER BY t.intent_id, t.ordinal`,
    merchantId,
    after.intentId,
    after.ordinal,
    count,
  );
}
