// Members: the people of a merchant, their roles and password hashes.
import type { Authority } from "@/server/domain/authority";
import type { Role } from "@/server/domain/permissions";
import { acrossMerchants } from "@/server/platform/reach";
import { type Act, recordChange } from "./audit/record";
import { inTransaction, prisma } from "./client";
import { insertLink, type NewOneTimeLink } from "./one-time-links";
import { insertGrant, type ProposedGrant } from "./role-grants";

export interface Member {
  readonly id: string;
  readonly merchantId: string;
  readonly email: string;
  readonly roles: readonly string[];
  readonly disabledAt: Date | null;
}

export interface NewMember {
  readonly id: string;
  readonly merchantId: string;
  readonly email: string;
  /** The hash of a password, or the link by which the member chooses one. */
  readonly access: { readonly passwordHash: string } | { readonly link: NewOneTimeLink };
  readonly roles: readonly Role[];
  readonly authority: Authority;
  /** What another person is to confirm, if anything. */
  readonly grant: ProposedGrant | null;
}

/** Stores a member, with an audit entry; the address is unique within the merchant. */
export async function insertMember(member: NewMember, act: Act): Promise<void> {
  const { id: objectId, merchantId, email, access, roles, authority, grant } = member;
  const link = "link" in access ? access.link : null;
  const passwordHash = "passwordHash" in access ? access.passwordHash : null;
  const change = { merchantId, environment: null, action: "member.create", objectId, before: null };
  await inTransaction(async (transaction) => {
    await transaction.query(
      `INSERT INTO member (merchant_id, id, email, password_hash, roles, authority_test_from, authority_live_from)
       VALUES ($1, $2, $3, $4, $5, $6::timestamptz, $7::timestamptz)`,
      merchantId,
      objectId,
      email,
      passwordHash,
      roles,
      authority.testFrom,
      authority.liveFrom,
    );
    if (link) await insertLink(transaction, { merchantId, memberId: objectId }, link, act);
    if (grant) await insertGrant(transaction, { merchantId, memberId: objectId }, grant, act);
    const facts = { ...(grant && { proposed_roles: grant.roles }), ...(link && { link: link.purpose }) };
    await recordChange(transaction, { ...change, after: { email, roles, ...facts } }, act);
  });
}

/** All members with that address, in any merchant. */
export async function findMembersByEmailAcrossMerchants(email: string): Promise<Member[]> {
  const found = prisma().member.findMany({
    where: { email },
    select: { id: true, merchantId: true, email: true, roles: true, disabledAt: true },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  // The query is sent when it is awaited.
  return acrossMerchants(async () => await found);
}

/** Everyone of the merchant, the oldest first. */
export async function findMembersOfMerchant(merchantId: string): Promise<Member[]> {
  return prisma().member.findMany({
    where: { merchantId },
    select: { id: true, merchantId: true, email: true, roles: true, disabledAt: true },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
}
