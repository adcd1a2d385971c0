// What waits to be linked into the audit chains, and the one statement that links it.
import { type AuditedEntry, CHAIN_START, type ChainEnd, type LinkPlace } from "@/server/domain/audit-chain";
import { query, queryAcrossMerchants } from "../client";
import { ENTRY_COLUMNS, type EntryRow, toAuditedEntry } from "./entry-row";

/** Merchants of which an entry waits; from one to the next over the key, however many entries lie between. */
export async function listMerchantsToLinkAcrossMerchants(): Promise<string[]> {
  const rows = await queryAcrossMerchants<{ merchant_id: string }>(
    `WITH RECURSIVE waiting AS (
       (SELECT merchant_id FROM audit_pending ORDER BY merchant_id LIMIT 1)
       UNION ALL
       SELECT (SELECT p.merchant_id FROM audit_pending p WHERE p.merchant_id > w.merchant_id
               ORDER BY p.merchant_id LIMIT 1)
       FROM waiting w WHERE w.merchant_id IS NOT NULL
     )
     SELECT merchant_id FROM waiting WHERE merchant_id IS NOT NULL`,
  );
  return rows.map((row) => row.merchant_id);
}

export interface PendingEntries {
  readonly end: ChainEnd;
  /** In the order in which they are to be linked. */
  readonly entries: readonly AuditedEntry[];
}

/**
 * The end of a merchant's chain and up to `count` entries that wait, by id, seen at one instant. LATERAL with its LIMIT
 * leaves one order of work: from what waits to its entries, never from all of the merchant's entries to what waits.
 */
export async function readWaiting(merchantId: string, count: number): Promise<PendingEntries> {
  const rows = await query<EntryRow & { last_sequence: bigint | null; last_hash: string | null }>(
    `SELECT c.last_sequence, c.last_hash, ${ENTRY_COLUMNS}
     FROM (SELECT merchant_id, entry_id FROM audit_pending WHERE merchant_id = $1 ORDER BY entry_id LIMIT $2) p
     CROSS JOIN LATERAL (
       SELECT * FROM audit_entry WHERE merchant_id = p.merchant_id AND id = p.entry_id LIMIT 1) e
     LEFT JOIN audit_chain c ON c.merchant_id = p.merchant_id
     ORDER BY e.id`,
    merchantId,
    count,
  );
  const { last_sequence: sequence, last_hash: hash } = rows[0] ?? { last_sequence: null, last_hash: null };
  return {
    end: sequence === null || hash === null ? CHAIN_START : { sequence, hash },
    entries: rows.map(toAuditedEntry),
  };
}

/** A link to be appended. */
export interface NewLink extends LinkPlace {
  readonly entryId: string;
  readonly hash: string;
}

/** Who moves the end from where it was read may append: of two that read the same end, one finds it moved. */
const APPEND = `
WITH link AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($4::jsonb) AS l(sequence bigint, entry_id text, hash text, key_id text, linked_at bigint)
),
moved AS (
  UPDATE audit_chain SET last_sequence = $5::bigint, last_hash = $6
  WHERE merchant_id = $1 AND last_sequence = $2::bigint AND last_hash = $3
  RETURNING merchant_id
),
taken AS (
  DELETE FROM audit_pending WHERE merchant_id = $1 AND entry_id = ANY($7::text[]) AND EXISTS (SELECT FROM moved)
)
INSERT INTO audit_link (merchant_id, sequence, entry_id, hash, key_id, linked_at)
SELECT moved.merchant_id, link.sequence, link.entry_id, link.hash, link.key_id,
       timestamptz 'epoch' + link.linked_at * interval '1 millisecond'
FROM moved, link
RETURNING sequence`;

/** Appends links to a chain that still ends at `from`, and takes their entries off the queue; false when it has moved. */
export async function appendLinks(merchantId: string, from: ChainEnd, links: readonly NewLink[]): Promise<boolean> {
  const last = links.at(-1);
  if (!last) return false;
  if (from.sequence === CHAIN_START.sequence) {
    const start =
      "INSERT INTO audit_chain (merchant_id, last_sequence, last_hash) VALUES ($1, 0, $2) ON CONFLICT DO NOTHING";
    await query(start, merchantId, CHAIN_START.hash);
  }
  const appended = await query(
    APPEND,
    merchantId,
    from.sequence,
    from.hash,
    JSON.stringify(
      links.map(({ sequence, entryId, hash, keyId, linkedAt }) => ({
        sequence: sequence.toString(),
        entry_id: entryId,
        hash,
        key_id: keyId,
        linked_at: linkedAt,
      })),
    ),
    last.sequence,
    last.hash,
    links.map(({ entryId }) => entryId),
  );
  return appended.length === links.length;
}
