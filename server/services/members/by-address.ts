// Finds members by email address, for the command line.
import { findMemberByEmail, findMembersByEmailAcrossMerchants, type Member } from "@/server/db/members";
import { ServiceError } from "@/server/domain/errors";
import type { Actor } from "@/server/domain/scope";

/** Finds all members with that address, of any merchant. */
export function membersByAddress(email: string): Promise<Member[]> {
  return findMembersByEmailAcrossMerchants(addressOf(email));
}

const addressOf = (email: string): string => email.trim().toLowerCase();

/** Finds the merchant's member with that address. Throws not_found. */
export async function requireMemberByAddress(merchantId: string, email: string): Promise<Member> {
  const member = await findMemberByEmail(merchantId, addressOf(email));
  if (!member) throw new ServiceError("not_found", "No member of the merchant has this address.");
  return member;
}

/** The operator acting for the member at the command line: the member's roles apply, the actor is the operator. */
export function operatorAs({ id, email }: Pick<Member, "id" | "email">): Actor {
  return { type: "member", id, statedAddress: addressOf(email) };
}
