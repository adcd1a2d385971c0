// Notices of changes of authority. A notice is inserted with its audit entry, so neither exists without the other.
import type { Environment } from "@/server/domain/scope";
import { query, queryAcrossMerchants } from "./client";
import type { Transaction } from "./transaction";

interface EntryKey {
  readonly merchantId: string;
  readonly entryId: string;
}

/**
 * Inserts a notice for each owner and the member concerned, who hears of an invitation by its link. An owner who was put out
 * lately is among them, to learn what was done meanwhile.
 */
export async function insertNotices(transaction: Transaction, { merchantId, entryId }: EntryKey): Promise<void> {
  await transaction.query(
    `INSERT INTO authority_notice (merchant_id, entry_id, member_id, created_at, due_at)
     SELECT e.merchant_id, e.id, m.id, e.created_at, e.created_at
     FROM audit_entry e JOIN member m ON m.merchant_id = e.merchant_id
     WHERE e.merchant_id = $1 AND e.id = $2
       AND CASE WHEN m.id = e.object_id THEN e.action <> 'member.create'
                ELSE m.second_person_until > e.created_at OR m.disabled_at IS NULL AND 'owner' = ANY(m.roles) END`,
    merchantId,
    entryId,
  );
}

export interface NoticeRow extends EntryKey {
  readonly memberId: string;
  /** The address of the member who receives the notice. */
  readonly email: string;
  readonly merchantName: string;
  readonly action: string;
  readonly environment: Environment | null;
  readonly actorType: string;
  readonly actorId: string;
  readonly actorEmail: string | null;
  readonly subjectEmail: string | null;
  readonly after: Readonly<Record<string, unknown>> | null;
  readonly createdAt: Date;
}

const NOTICE = `
  SELECT n.merchant_id AS "merchantId", n.entry_id AS "entryId", n.member_id AS "memberId", m.email,
         c.name AS "merchantName", e.action, e.environment, e.actor_type AS "actorType", e.actor_id AS "actorId",
         a.email AS "actorEmail", s.email AS "subjectEmail", e.after, e.created_at AS "createdAt"
  FROM notice n
  JOIN audit_entry e ON e.merchant_id = n.merchant_id AND e.id = n.entry_id
  JOIN merchant c ON c.id = n.merchant_id
  JOIN member m ON m.merchant_id = n.merchant_id AND m.id = n.member_id
  LEFT JOIN member a ON a.merchant_id = n.merchant_id AND a.id = e.actor_id AND e.actor_type = 'member'
  LEFT JOIN member s ON s.merchant_id = n.merchant_id AND s.id = e.object_id`;

/** The member's notices since an instant, newest first. */
export function listNotices(
  { merchantId, memberId }: { readonly merchantId: string; readonly memberId: string },
  since: Date,
  limit: number,
): Promise<NoticeRow[]> {
  return query<NoticeRow>(
    `WITH notice AS (
       SELECT * FROM authority_notice WHERE merchant_id = $1 AND member_id = $2 AND created_at >= $3::timestamptz
       ORDER BY created_at DESC, entry_id DESC LIMIT $4
     ) ${NOTICE} ORDER BY e.created_at DESC, e.id DESC`,
    merchantId,
    memberId,
    since,
    limit,
  );
}

/** Returns one notice for each of the merchant's entries that has one; of a member, only that member's. */
export function findNoticesOf(
  merchantId: string,
  entryIds: readonly string[],
  memberId: string | null,
): Promise<NoticeRow[]> {
  return query<NoticeRow>(
    `WITH notice AS (
       SELECT DISTINCT ON (entry_id) * FROM authority_notice
       WHERE merchant_id = $1 AND entry_id = ANY($2::text[]) AND ($3::text IS NULL OR member_id = $3)
       ORDER BY entry_id, member_id
     ) ${NOTICE}`,
    merchantId,
    entryIds,
    memberId,
  );
}

/**
 * Claims due notices to mail, at most `count`. A claim lasts `leaseMs` and doubles with each attempt. Notices older than
 * `newerThan` are left alone: an instance that begins to send mail does not send its history.
 */
export function claimNoticesAcrossMerchants(
  { at, newerThan, leaseMs }: { readonly at: Date; readonly newerThan: Date; readonly leaseMs: number },
  count: number,
): Promise<NoticeRow[]> {
  return queryAcrossMerchants<NoticeRow>(
    `WITH due AS (
       SELECT merchant_id, entry_id, member_id FROM authority_notice
       WHERE due_at <= $1::timestamptz AND created_at >= $2::timestamptz
       ORDER BY due_at LIMIT $4 FOR UPDATE SKIP LOCKED
     ),
     notice AS (
       UPDATE authority_notice n
       SET attempts = attempts + 1, due_at = $1::timestamptz + $3 * power(2, least(attempts, 6)) * interval '1 millisecond'
       FROM due WHERE n.merchant_id = due.merchant_id AND n.entry_id = due.entry_id AND n.member_id = due.member_id
       RETURNING n.*
     ) ${NOTICE}`,
    at,
    newerThan,
    leaseMs,
    count,
  );
}

/** Records that the notice was mailed. */
export async function markMailed({ merchantId, entryId, memberId }: NoticeRow, at: Date): Promise<void> {
  await query(
    `UPDATE authority_notice SET mailed_at = $4::timestamptz, due_at = NULL
     WHERE merchant_id = $1 AND entry_id = $2 AND member_id = $3`,
    merchantId,
    entryId,
    memberId,
    at,
  );
}

/** Deletes up to `count` notices older than `days`; returns how many. Their audit entries stay. */
export async function reapNoticesAcrossMerchants(days: number, count: number): Promise<number> {
  const rows = await queryAcrossMerchants(
    `WITH old AS MATERIALIZED (
       SELECT merchant_id, entry_id, member_id FROM authority_notice
       WHERE created_at < now() - $1::int * interval '1 day' ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)
     DELETE FROM authority_notice n USING old
     WHERE n.merchant_id = old.merchant_id AND n.entry_id = old.entry_id AND n.member_id = old.member_id
     RETURNING n.entry_id`,
    days,
    count,
  );
  return rows.length;
}
