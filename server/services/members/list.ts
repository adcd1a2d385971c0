import { listMembers as findMembers, type ListedMember } from "@/server/db/member-changes";
import { isAllowed } from "@/server/domain/permissions";
import type { Scope } from "@/server/domain/scope";

/** Lists all members of the merchant, active ones first, then by email address. */
export function listMembers(merchantId: string): Promise<ListedMember[]> {
  return findMembers(merchantId);
}

/** Counts the active members other than this one who may approve payouts of the environment. */
export async function countOtherApprovers({ merchantId, environment }: Scope, memberId: string): Promise<number> {
  const others = (await findMembers(merchantId)).filter(({ id }) => id !== memberId);
  return others.filter((member) => isAllowed(member, "decide_payouts", environment)).length;
}
