// What signing in reads of members. Whoever begins to sign in has not told a merchant, so the address is looked up in all.
import { prisma, query, queryAcrossMerchants } from "./client";
import { MEMBER_COLUMNS, type Member } from "./members";

export interface MemberCredentials extends Member {
  /** Null for a member who has not chosen a password yet. */
  readonly passwordHash: string | null;
  /** Advances when sessions of the member are ended. */
  readonly accessVersion: number;
}

const COLUMNS = `${MEMBER_COLUMNS}, password_hash AS "passwordHash", access_version AS "accessVersion"`;

/** The members with that address, of every merchant, oldest first. */
export function findCredentialsAcrossMerchants(email: string): Promise<MemberCredentials[]> {
  return queryAcrossMerchants<MemberCredentials>(
    `SELECT ${COLUMNS} FROM member WHERE email = $1 ORDER BY created_at`,
    email,
  );
}

/** The member of an id, or null. Unlike a look-up in all merchants, it sees one whose merchant closes to move. */
export async function findCredentials(merchantId: string, id: string): Promise<MemberCredentials | null> {
  const [member] = await query<MemberCredentials>(
    `SELECT ${COLUMNS} FROM member WHERE merchant_id = $1 AND id = $2`,
    merchantId,
    id,
  );
  return member ?? null;
}

/** False for a member who has not chosen a password. */
export async function hasPassword(merchantId: string, id: string): Promise<boolean> {
  return (await prisma().member.count({ where: { merchantId, id, passwordHash: { not: null } } })) > 0;
}

/** The member of an id, or null. */
export async function findMemberById(merchantId: string, id: string): Promise<Member | null> {
  const [member] = await query<Member>(
    `SELECT ${MEMBER_COLUMNS} FROM member WHERE merchant_id = $1 AND id = $2`,
    merchantId,
    id,
  );
  return member ?? null;
}

/** The member's `accessVersion`, or null without such a member. */
export async function findAccess(merchantId: string, id: string): Promise<number | null> {
  const [member] = await query<{ version: number }>(
    "SELECT access_version AS version FROM member WHERE merchant_id = $1 AND id = $2",
    merchantId,
    id,
  );
  return member?.version ?? null;
}
