// One-time links at rest: the hash of a token only. A member has at most one, and any change of the member voids it.
import { type Actor, recordedActor } from "@/server/domain/scope";
import { queryAcrossMerchants } from "./client";
import type { Transaction } from "./transaction";

export type LinkPurpose = "invite" | "reset";

export interface NewOneTimeLink {
  readonly purpose: LinkPurpose;
  /** SHA-256 of the token, in hex. */
  readonly tokenHash: string;
  readonly expiresAt: Date;
}

/** A link that can be used now, with its member. */
export interface OpenLink {
  readonly merchantId: string;
  readonly memberId: string;
  readonly purpose: LinkPurpose;
  readonly email: string;
  readonly merchantName: string;
  /** Who created it. */
  readonly createdBy: Actor;
}

interface MemberKey {
  readonly merchantId: string;
  readonly memberId: string;
}

/** Removes the member's link, so that its token is worthless. Returns true if it was unused. */
export async function voidLink(transaction: Transaction, { merchantId, memberId }: MemberKey): Promise<boolean> {
  const removed = await transaction.query<{ isUnused: boolean }>(
    `DELETE FROM one_time_link WHERE merchant_id = $1 AND member_id = $2 RETURNING used_at IS NULL AS "isUnused"`,
    merchantId,
    memberId,
  );
  return removed[0]?.isUnused ?? false;
}

/** Stores a link for a member who has none. */
export async function insertLink(
  transaction: Transaction,
  { merchantId, memberId }: MemberKey,
  { purpose, tokenHash, expiresAt }: NewOneTimeLink,
  { actor, at }: { readonly actor: Actor; readonly at: Date },
): Promise<void> {
  const creator = recordedActor(actor);
  await transaction.query(
    `INSERT INTO one_time_link (merchant_id, member_id, purpose, token_hash, created_by_type, created_by_id, created_at,
                                expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7::timestamptz, $8::timestamptz)`,
    merchantId,
    memberId,
    purpose,
    tokenHash,
    creator.type,
    creator.id,
    at,
    expiresAt,
  );
}

/** Uses the link up. Returns false if it was used or replaced, or has expired. */
export async function spendLink(
  transaction: Transaction,
  { merchantId, memberId }: MemberKey,
  tokenHash: string,
  at: Date,
): Promise<boolean> {
  const used = await transaction.query(
    `UPDATE one_time_link SET used_at = $4::timestamptz
     WHERE merchant_id = $1 AND member_id = $2 AND token_hash = $3 AND used_at IS NULL AND expires_at > $4::timestamptz
     RETURNING member_id`,
    merchantId,
    memberId,
    tokenHash,
    at,
  );
  return used.length > 0;
}

/** Finds the unused, unexpired link of an active member. Returns null if not found. */
export async function findOpenLinkAcrossMerchants(tokenHash: string, at: Date): Promise<OpenLink | null> {
  const [link] = await queryAcrossMerchants<OpenLink>(
    `SELECT l.merchant_id AS "merchantId", l.member_id AS "memberId", l.purpose, m.email, c.name AS "merchantName",
            json_build_object('type', l.created_by_type, 'id', l.created_by_id) AS "createdBy"
     FROM one_time_link l
     JOIN member m ON m.merchant_id = l.merchant_id AND m.id = l.member_id
     JOIN merchant c ON c.id = l.merchant_id
     WHERE l.token_hash = $1 AND l.used_at IS NULL AND l.expires_at > $2::timestamptz AND m.disabled_at IS NULL`,
    tokenHash,
    at,
  );
  return link ?? null;
}
