// Owns finding the member of a merchant whom an address names, for acts at the command line.
import { findMembersByEmailAcrossMerchants, type Member } from "@/server/db/members";
import { ServiceError } from "@/server/domain/errors";

/** The merchant's member with that address; throws not_found. */
export async function requireMemberByAddress(merchantId: string, email: string): Promise<Member> {
  const everyone = await findMembersByEmailAcrossMerchants(email.trim().toLowerCase());
  const member = everyone.find((one) => one.merchantId === merchantId);
  if (!member) throw new ServiceError("not_found", "No member of the merchant has this address.");
  return member;
}
