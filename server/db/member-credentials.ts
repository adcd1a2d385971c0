// What signing in reads of members. Whoever signs in has not told a merchant, so the address is looked up in all.
import { acrossMerchants } from "@/server/platform/reach";
import { prisma } from "./client";
import type { Member } from "./members";

export interface MemberCredentials extends Member {
  /** Null for a member who has not chosen a password yet. */
  readonly passwordHash: string | null;
}

/** The members with that address, of every merchant, oldest first. */
export async function findCredentialsAcrossMerchants(email: string): Promise<MemberCredentials[]> {
  // The query is sent when it is awaited, so that happens inside.
  return acrossMerchants(
    async () => await prisma().member.findMany({ where: { email }, orderBy: { createdAt: "asc" } }),
  );
}

/** False for a member who has not chosen a password. */
export async function hasPassword(merchantId: string, id: string): Promise<boolean> {
  return (await prisma().member.count({ where: { merchantId, id, passwordHash: { not: null } } })) > 0;
}

/** The member of an id, or null. */
export async function findMemberById(merchantId: string, id: string): Promise<Member | null> {
  return prisma().member.findFirst({
    where: { merchantId, id },
    select: { id: true, merchantId: true, email: true, roles: true, disabledAt: true },
  });
}
