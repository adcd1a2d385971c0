// Reading what was linked: the chains link by link with their entries, and what should be in them and is not.
import type { AuditedEntry, ChainEnd, LinkPlace } from "@/server/domain/audit-chain";
import { query, queryAcrossMerchants } from "../client";
import { ENTRY_COLUMNS, type EntryRow, millisecondsOf, toAuditedEntry } from "./entry-row";

/** An entry is linked within seconds; one that waits this long has been forgotten, or no worker runs. */
const LINKED_WITHIN = "interval '1 minute'";

/** From one merchant to the next over a key that starts with it, however many rows lie between. */
const merchantsIn = (table: string) => `(
  WITH RECURSIVE found AS (
    (SELECT merchant_id FROM ${table} ORDER BY merchant_id LIMIT 1)
    UNION ALL
    SELECT (SELECT t.merchant_id FROM ${table} t WHERE t.merchant_id > f.merchant_id ORDER BY t.merchant_id LIMIT 1)
    FROM found f WHERE f.merchant_id IS NOT NULL
  )
  SELECT merchant_id FROM found WHERE merchant_id IS NOT NULL)`;

const LOG_TABLES = ["audit_entry", "audit_link", "audit_chain", "audit_pending"];
/** Tables whose rows have audit entries. */
const COVERED_TABLES = [
  "ledger_transaction",
  "payment_intent",
  "payout_intent",
  "topup_intent",
  "approval",
  "journal_entry",
  "manual_resolution",
  "approval_policy",
];
const MERCHANTS = [...LOG_TABLES, ...COVERED_TABLES].map(merchantsIn).join(" UNION ");

/** Everyone with an audit entry, a link, a chain, something queued, or a row that has audit entries, in order of id. */
export async function listAuditedMerchantsAcrossAll(): Promise<string[]> {
  const rows = await queryAcrossMerchants<{ merchant_id: string }>(
    `SELECT * FROM (${MERCHANTS}) m ORDER BY merchant_id`,
  );
  return rows.map((row) => row.merchant_id);
}

/** A link as it is stored, with its entry; null where that is gone. */
export interface StoredLink extends LinkPlace {
  readonly entryId: string;
  readonly hash: string;
  readonly entry: AuditedEntry | null;
}

interface LinkRow extends EntryRow {
  readonly sequence: bigint;
  readonly entry_id: string;
  readonly hash: string;
  readonly key_id: string;
  readonly linked_at: string;
  readonly has_entry: boolean;
}

/** Up to `count` links of a merchant that follow `after`, in order; their entries are looked up as in `readWaiting`. */
export async function readLinks(merchantId: string, after: bigint, count: number): Promise<StoredLink[]> {
  const rows = await query<LinkRow>(
    `SELECT l.sequence, l.entry_id, l.hash, l.key_id, ${millisecondsOf("l.linked_at")} AS linked_at,
            e.id IS NOT NULL AS has_entry, ${ENTRY_COLUMNS}
     FROM (SELECT * FROM audit_link WHERE merchant_id = $1 AND sequence > $2::bigint ORDER BY sequence LIMIT $3) l
     LEFT JOIN LATERAL (
       SELECT * FROM audit_entry WHERE merchant_id = l.merchant_id AND id = l.entry_id LIMIT 1) e ON true
     ORDER BY l.sequence`,
    merchantId,
    after,
    count,
  );
  return rows.map((row) => ({
    sequence: row.sequence,
    keyId: row.key_id,
    linkedAt: row.linked_at,
    entryId: row.entry_id,
    hash: row.hash,
    entry: row.has_entry ? toAuditedEntry(row) : null,
  }));
}

/** The end of a merchant's chain as it is kept, and its last link, seen at one instant; null where there is none. */
export async function readEnds(merchantId: string): Promise<{ kept: ChainEnd | null; last: ChainEnd | null }> {
  const rows = await query<ChainEnd & { what: string }>(
    `SELECT 'kept' AS what, last_sequence AS sequence, last_hash AS hash FROM audit_chain WHERE merchant_id = $1
     UNION ALL
     (SELECT 'last', sequence, hash FROM audit_link WHERE merchant_id = $1 ORDER BY sequence DESC LIMIT 1)`,
    merchantId,
  );
  const end = (what: string) => {
    const row = rows.find((one) => one.what === what);
    return row ? { sequence: row.sequence, hash: row.hash } : null;
  };
  return { kept: end("kept"), last: end("last") };
}

/** How many entries wait to be linked, and the queued entries that are gone, by id. */
export async function readQueue(merchantId: string): Promise<{ waiting: number; lostIds: readonly string[] }> {
  const [row] = await query<{ waiting: number; lost: string[] | null }>(
    `SELECT count(*)::int AS waiting, array_agg(p.entry_id ORDER BY p.entry_id) FILTER (WHERE e.id IS NULL) AS lost
     FROM audit_pending p LEFT JOIN audit_entry e ON e.merchant_id = p.merchant_id AND e.id = p.entry_id
     WHERE p.merchant_id = $1`,
    merchantId,
  );
  return { waiting: row?.waiting ?? 0, lostIds: row?.lost ?? [] };
}

/** A stretch of a merchant's entries, by id. */
export interface Stretch {
  /** Where the next stretch begins; null after the last. */
  readonly lastId: string | null;
  /** Entries that are neither linked nor queued, or queued for too long. */
  readonly unlinkedIds: readonly string[];
}

/** Looks at up to `count` entries after `afterId` for such as are not linked. */
export async function readUnlinked(merchantId: string, afterId: string, count: number): Promise<Stretch> {
  const [row] = await query<{ last_id: string | null; unlinked: string[] | null }>(
    `SELECT max(id) AS last_id, array_agg(id ORDER BY id) FILTER (WHERE is_unlinked) AS unlinked
     FROM (
       SELECT e.id, l.entry_id IS NULL AND (p.entry_id IS NULL OR p.queued_at < now() - ${LINKED_WITHIN}) AS is_unlinked
       FROM (SELECT merchant_id, id FROM audit_entry WHERE merchant_id = $1 AND id > $2 ORDER BY id LIMIT $3) e
       LEFT JOIN audit_link l ON l.merchant_id = e.merchant_id AND l.entry_id = e.id
       LEFT JOIN audit_pending p ON p.merchant_id = e.merchant_id AND p.entry_id = e.id
     ) looked_at`,
    merchantId,
    afterId,
    count,
  );
  return { lastId: row?.last_id ?? null, unlinkedIds: row?.unlinked ?? [] };
}
