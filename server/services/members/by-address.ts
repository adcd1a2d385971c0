// Members whom an address names, for acts at the command line.
import { findMembersByEmailAcrossMerchants, type Member } from "@/server/db/members";
import { ServiceError } from "@/server/domain/errors";
import type { Actor } from "@/server/domain/scope";

/** Everyone with that address, of any merchant. */
export function membersByAddress(email: string): Promise<Member[]> {
  return findMembersByEmailAcrossMerchants(email.trim().toLowerCase());
}

/** The merchant's member with that address; throws not_found. */
export async function requireMemberByAddress(merchantId: string, email: string): Promise<Member> {
  const everyone = await membersByAddress(email);
  const member = everyone.find((one) => one.merchantId === merchantId);
  if (!member) throw new ServiceError("not_found", "No member of the merchant has this address.");
  return member;
}

/** The operator who acts as the member at the command line: the member's roles count, and the act is the operator's. */
export function operatorAs({ id, email }: Pick<Member, "id" | "email">): Actor {
  return { type: "member", id, statedAddress: email.trim().toLowerCase() };
}
