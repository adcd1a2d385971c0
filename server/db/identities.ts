// Members at an OpenID provider: who they are there, by the subject that the provider never gives to somebody else.
import type { Authority } from "@/server/domain/authority";
import { type Act, recordChange } from "./audit/record";
import { inTransaction, query, queryAcrossMerchants } from "./client";
import { restartAuthority } from "./member-totp";
import { voidLink } from "./one-time-links";
import { endOtherSessions, lockMember } from "./sessions";

interface MemberKey {
  readonly merchantId: string;
  readonly memberId: string;
}

/** A person at a provider. */
export interface Identity {
  /** The provider's issuer identifier. */
  readonly issuer: string;
  readonly subject: string;
}

/** A member whom an identity may belong to. */
export interface IdentifiedMember {
  readonly merchantId: string;
  readonly merchantName: string;
  readonly id: string;
  readonly email: string;
  readonly disabledAt: Date | null;
  /** False if only the address agrees, and the member has no identity at this provider yet. */
  readonly isLinked: boolean;
  readonly hasPassword: boolean;
  /** Advances when sessions of the member are ended. */
  readonly accessVersion: number;
  readonly requiresTwoFactors: boolean;
}

const COLUMNS = `m.merchant_id AS "merchantId", c.name AS "merchantName", m.id, m.email, m.disabled_at AS "disabledAt",
  m.password_hash IS NOT NULL AS "hasPassword",
  m.access_version AS "accessVersion", c.totp_required_to_sign_in AS "requiresTwoFactors", m.created_at AS "createdAt"`;

/**
 * The members of this identity and those with this address who have no identity at the provider; linked ones first, then
 * the oldest. The visitor names no merchant, so all are searched.
 */
export async function findIdentifiedAcrossMerchants(
  { issuer, subject }: Identity,
  email: string | null,
): Promise<IdentifiedMember[]> {
  return queryAcrossMerchants<IdentifiedMember>(
    `SELECT ${COLUMNS}, true AS "isLinked"
     FROM member_identity i JOIN member m ON m.merchant_id = i.merchant_id AND m.id = i.member_id
     JOIN merchant c ON c.id = m.merchant_id
     WHERE i.issuer = $1 AND i.subject = $2
     UNION ALL
     SELECT ${COLUMNS}, false
     FROM member m JOIN merchant c ON c.id = m.merchant_id
     WHERE m.email = $3 AND NOT EXISTS (
       SELECT FROM member_identity i WHERE i.merchant_id = m.merchant_id AND i.member_id = m.id AND i.issuer = $1)
     ORDER BY "isLinked" DESC, "createdAt"`,
    issuer,
    subject,
    email,
  );
}

/** The member's subject at the provider, or null. */
export async function findSubject({ merchantId, memberId }: MemberKey, issuer: string): Promise<string | null> {
  const [row] = await query<{ subject: string }>(
    "SELECT subject FROM member_identity WHERE merchant_id = $1 AND member_id = $2 AND issuer = $3",
    merchantId,
    memberId,
    issuer,
  );
  return row?.subject ?? null;
}

/**
 * Links the member to the identity, with an audit entry, and voids the member's one-time link. Returns false if the member
 * has an identity at the provider, or another member of the merchant has this one.
 */
export async function insertIdentity(
  { merchantId, memberId }: MemberKey,
  { issuer, subject }: Identity,
  act: Act,
): Promise<boolean> {
  return inTransaction(async (transaction) => {
    const linked = await transaction.query(
      `INSERT INTO member_identity (merchant_id, member_id, issuer, subject, created_at)
       VALUES ($1, $2, $3, $4, $5::timestamptz) ON CONFLICT DO NOTHING RETURNING member_id`,
      merchantId,
      memberId,
      issuer,
      subject,
      act.at,
    );
    if (linked.length === 0) return false;
    await voidLink(transaction, { merchantId, memberId });
    const change = { merchantId, environment: null, action: "member.identity_link", objectId: memberId, before: null };
    await recordChange(transaction, { ...change, after: { issuer, subject } }, act);
    return true;
  });
}

/** Removes the member's identities, with audit entries, and ends their sessions; the member's authority then counts from the given times. */
export async function deleteIdentities(
  { merchantId, memberId }: MemberKey,
  authority: Authority,
  act: Act,
): Promise<number> {
  return inTransaction(async (transaction) => {
    await lockMember(transaction, { merchantId, memberId });
    const removed = await transaction.query<Identity>(
      "DELETE FROM member_identity WHERE merchant_id = $1 AND member_id = $2 RETURNING issuer, subject",
      merchantId,
      memberId,
    );
    if (removed.length > 0) {
      await restartAuthority(transaction, { merchantId, memberId }, authority);
      await endOtherSessions(transaction, { merchantId, memberId, keepSession: "" }, act.at);
    }
    const change = { merchantId, environment: null, action: "member.identity_unlink", objectId: memberId, after: null };
    for (const { issuer, subject } of removed)
      await recordChange(transaction, { ...change, before: { issuer, subject } }, act);
    return removed.length;
  });
}
