import { listMembers as findMembers, type ListedMember } from "@/server/db/member-changes";
import { isAllowed } from "@/server/domain/permissions";

/** Lists all members of the merchant, active ones first, then by email address. */
export function listMembers(merchantId: string): Promise<ListedMember[]> {
  return findMembers(merchantId);
}

/** Counts the active members other than this one who may approve payouts. */
export async function countOtherApprovers(merchantId: string, memberId: string): Promise<number> {
  const members = await findMembers(merchantId);
  return members.filter((member) => member.id !== memberId && isAllowed(member, "decide_payouts")).length;
}
