// Members: the people of a merchant, their roles and password hashes.
import type { Authority } from "@/server/domain/authority";
import type { Role } from "@/server/domain/permissions";
import { withinMerchant } from "@/server/platform/reach";
import { type Act, recordChange } from "./audit/record";
import { inTransaction, query, queryAcrossMerchants } from "./client";
import { insertLink, type NewOneTimeLink } from "./one-time-links";
import { insertGrant, type ProposedGrant } from "./role-grants";

export interface Member {
  readonly id: string;
  readonly merchantId: string;
  readonly email: string;
  /** What people call the member; null without a name. The address identifies the member, the name does not. */
  readonly name: string | null;
  /** In live, and for what both environments share. */
  readonly roles: readonly string[];
  /** In the test environment; null where they are the same. */
  readonly testRoles: readonly string[] | null;
  readonly disabledAt: Date | null;
}

/** The columns of a `Member`. */
export const MEMBER_COLUMNS = `id, merchant_id AS "merchantId", email, name, roles, test_roles AS "testRoles",
  disabled_at AS "disabledAt"`;

export interface NewMember {
  readonly id: string;
  readonly merchantId: string;
  readonly email: string;
  readonly name: string | null;
  /** The hash of a password, or the link by which the member chooses one. */
  readonly access: { readonly passwordHash: string } | { readonly link: NewOneTimeLink };
  readonly roles: readonly Role[];
  readonly authority: Authority;
  /** What another person is to confirm, if anything. */
  readonly grant: ProposedGrant | null;
}

/** Stores a member, with an audit entry; the address is unique within the merchant. */
export async function insertMember(member: NewMember, act: Act): Promise<void> {
  const { id: objectId, merchantId, email, name, access, roles, authority, grant } = member;
  const link = "link" in access ? access.link : null;
  const passwordHash = "passwordHash" in access ? access.passwordHash : null;
  const change = { merchantId, environment: null, action: "member.create", objectId, before: null };
  await inTransaction(async (transaction) => {
    await transaction.query(
      `INSERT INTO member (merchant_id, id, email, password_hash, roles, authority_test_from, authority_live_from, name)
       VALUES ($1, $2, $3, $4, $5, $6::timestamptz, $7::timestamptz, $8)`,
      merchantId,
      objectId,
      email,
      passwordHash,
      roles,
      authority.testFrom,
      authority.liveFrom,
      name,
    );
    if (link) await insertLink(transaction, { merchantId, memberId: objectId }, link, act);
    if (grant) await insertGrant(transaction, { merchantId, memberId: objectId }, grant, act);
    const facts = {
      ...(name !== null && { name }),
      ...(grant && { proposed_roles: grant.roles }),
      ...(link && { link: link.purpose }),
    };
    await recordChange(transaction, { ...change, after: { email, roles, ...facts } }, act);
  });
}

/** All members with that address, in any merchant. */
export function findMembersByEmailAcrossMerchants(email: string): Promise<Member[]> {
  return queryAcrossMerchants<Member>(
    `SELECT ${MEMBER_COLUMNS} FROM member WHERE email = $1 ORDER BY created_at, id`,
    email,
  );
}

/** The merchant's member with that address, or null. */
export async function findMemberByEmail(merchantId: string, email: string): Promise<Member | null> {
  const [member] = await withinMerchant(merchantId, () =>
    query<Member>(`SELECT ${MEMBER_COLUMNS} FROM member WHERE merchant_id = $1 AND email = $2`, merchantId, email),
  );
  return member ?? null;
}

/** Everyone of the merchant, the oldest first. */
export function findMembersOfMerchant(merchantId: string): Promise<Member[]> {
  return query<Member>(
    `SELECT ${MEMBER_COLUMNS} FROM member WHERE merchant_id = $1 ORDER BY created_at, id`,
    merchantId,
  );
}
