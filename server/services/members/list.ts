import { listMembers as findMembers, type ListedMember } from "@/server/db/member-list";
import { isAllowed } from "@/server/domain/permissions";
import type { Scope } from "@/server/domain/scope";
import { now } from "@/server/platform/clock";
import { idleSince } from "../sign-in/sessions";

/** Lists all members of the merchant, active ones first, then by email address. */
export function listMembers(merchantId: string): Promise<ListedMember[]> {
  const at = now();
  return findMembers(merchantId, { at, usedSince: idleSince(at) });
}

/** Counts the active members other than this one who may approve payouts of the environment. */
export async function countOtherApprovers({ merchantId, environment }: Scope, memberId: string): Promise<number> {
  const others = (await listMembers(merchantId)).filter(({ id }) => id !== memberId);
  return others.filter((member) => isAllowed(member, "decide_payouts", environment)).length;
}
