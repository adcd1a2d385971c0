// The one-time codes of members at rest: sealed secrets, the last step used, what is left of the recovery codes.
import type { Authority } from "@/server/domain/authority";
import { type Act, recordChange } from "./audit/record";
import { inTransaction, prisma, query } from "./client";
import { endOtherSessions, lockMember } from "./sessions";
import type { Transaction } from "./transaction";

export interface MemberTotp {
  readonly secretSealed: string;
  /** Null while no first code has shown that the member has the secret. */
  readonly confirmedAt: Date | null;
  readonly lastStep: bigint;
  readonly recoveryHashes: readonly string[];
}

interface MemberKey {
  readonly merchantId: string;
  readonly memberId: string;
}

/** What a member has set up, or null. */
export function findMemberTotp({ merchantId, memberId }: MemberKey): Promise<MemberTotp | null> {
  return prisma().memberTotp.findFirst({ where: { merchantId, memberId } });
}

/** How many active members have one of the roles, and how many of them have codes or a passkey. */
export async function countWithSecondFactor(
  merchantId: string,
  roles: readonly string[],
): Promise<{ readonly members: number; readonly withSecondFactor: number }> {
  const [row] = await query<{ members: number; withSecondFactor: number }>(
    `SELECT count(*)::int AS members,
            count(*) FILTER (WHERE t.confirmed_at IS NOT NULL OR EXISTS (
              SELECT FROM member_passkey p WHERE p.merchant_id = m.merchant_id AND p.member_id = m.id)
            )::int AS "withSecondFactor"
     FROM member m LEFT JOIN member_totp t ON t.merchant_id = m.merchant_id AND t.member_id = m.id
     WHERE m.merchant_id = $1 AND m.disabled_at IS NULL AND m.roles && $2::text[]`,
    merchantId,
    roles,
  );
  return row ?? { members: 0, withSecondFactor: 0 };
}

/** A secret that waits for its first code. */
interface PendingTotp {
  readonly secretSealed: string;
  /** The session that began it, which alone can confirm it. */
  readonly sessionId: string;
  readonly at: Date;
}

/** Stores a secret that waits for its first code, in place of another that waits; false where one is in use. */
export async function putPendingTotp(
  { merchantId, memberId }: MemberKey,
  { secretSealed, sessionId, at }: PendingTotp,
): Promise<boolean> {
  const rows = await query(
    `INSERT INTO member_totp (merchant_id, member_id, secret_sealed, created_at, session_id)
     VALUES ($1, $2, $3, $4::timestamptz, $5)
     ON CONFLICT (merchant_id, member_id) DO UPDATE
       SET secret_sealed = $3, created_at = $4::timestamptz, session_id = $5, last_step = 0
     WHERE member_totp.confirmed_at IS NULL RETURNING member_id`,
    merchantId,
    memberId,
    secretSealed,
    at,
    sessionId,
  );
  return rows.length > 0;
}

/** What a first code confirms. */
interface Enrolment {
  readonly secretSealed: string;
  /** Time step of the code. */
  readonly step: bigint;
  readonly recoveryHashes: readonly string[];
  /** The session that began it, which goes on; the others are of before the codes. */
  readonly sessionId: string;
  /** A secret that was created before waits no longer. */
  readonly begunSince: Date;
}

/** Puts the waiting secret into use, with recovery codes and an audit entry, and ends other sessions; false where it is no longer that one. */
export async function confirmTotp(
  { merchantId, memberId }: MemberKey,
  { secretSealed, step, recoveryHashes, sessionId, begunSince }: Enrolment,
  act: Act,
): Promise<boolean> {
  return inTransaction(async (transaction) => {
    await lockMember(transaction, { merchantId, memberId });
    const confirmed = await transaction.query(
      `UPDATE member_totp SET confirmed_at = $4::timestamptz, last_step = $5, recovery_hashes = $6
       WHERE merchant_id = $1 AND member_id = $2 AND secret_sealed = $3 AND confirmed_at IS NULL AND session_id = $7
         AND created_at >= $8::timestamptz RETURNING member_id`,
      merchantId,
      memberId,
      secretSealed,
      act.at,
      step,
      recoveryHashes,
      sessionId,
      begunSince,
    );
    if (confirmed.length === 0) return false;
    const change = { merchantId, environment: null, action: "member.totp_enrol", objectId: memberId, before: null };
    const ended = await endOtherSessions(transaction, { merchantId, memberId, keepSession: sessionId }, act.at);
    const after = { recovery_codes: recoveryHashes.length, sessions_ended: ended };
    await recordChange(transaction, { ...change, after }, act);
    return true;
  });
}

/** Uses up a step; false where it, or a later one, was used: of two who send the same code one is refused. */
export async function takeStep({ merchantId, memberId }: MemberKey, step: bigint): Promise<boolean> {
  const { count } = await prisma().memberTotp.updateMany({
    where: { merchantId, memberId, confirmedAt: { not: null }, lastStep: { lt: step } },
    data: { lastStep: step },
  });
  return count > 0;
}

/** Uses up a recovery code, with an audit entry; false where none of the digests is left. */
export async function takeRecoveryCode(
  { merchantId, memberId }: MemberKey,
  digests: readonly string[],
  act: Act,
): Promise<boolean> {
  return inTransaction(async (transaction) => {
    const [row] = await transaction.query<{ left: number }>(
      `UPDATE member_totp SET recovery_hashes = ARRAY(SELECT h FROM unnest(recovery_hashes) AS h WHERE h <> ALL($3))
       WHERE merchant_id = $1 AND member_id = $2 AND confirmed_at IS NOT NULL AND recovery_hashes && $3::text[]
       RETURNING cardinality(recovery_hashes)::int AS left`,
      merchantId,
      memberId,
      digests,
    );
    if (!row) return false;
    const change = { merchantId, environment: null, action: "member.totp_recover", objectId: memberId, before: null };
    await recordChange(transaction, { ...change, after: { recovery_codes_left: row.left } }, act);
    return true;
  });
}

/**
 * Forgets what the member has set up, with an audit entry, and ends their other sessions; false where there was nothing. `authority` is what the member
 * has from then on, where somebody else removes it.
 */
export async function removeTotp(
  { merchantId, memberId }: MemberKey,
  { authority, keepSession }: { readonly authority: Authority | null; readonly keepSession: string },
  act: Act,
): Promise<boolean> {
  return inTransaction(async (transaction) => {
    await lockMember(transaction, { merchantId, memberId });
    const removed = await transaction.query(
      "DELETE FROM member_totp WHERE merchant_id = $1 AND member_id = $2 RETURNING member_id",
      merchantId,
      memberId,
    );
    if (removed.length === 0) return false;
    if (authority) await restartAuthority(transaction, { merchantId, memberId }, authority);
    await endOtherSessions(transaction, { merchantId, memberId, keepSession }, act.at);
    const change = { merchantId, environment: null, action: "member.totp_remove", objectId: memberId };
    await recordChange(transaction, { ...change, before: null, after: {} }, act);
    return true;
  });
}

/** Sets since when the member's authority counts. */
export async function restartAuthority(
  transaction: Transaction,
  { merchantId, memberId }: MemberKey,
  { testFrom, liveFrom }: Authority,
): Promise<void> {
  await transaction.query(
    `UPDATE member SET authority_test_from = $3::timestamptz, authority_live_from = $4::timestamptz
     WHERE merchant_id = $1 AND id = $2`,
    merchantId,
    memberId,
    testFrom,
    liveFrom,
  );
}
