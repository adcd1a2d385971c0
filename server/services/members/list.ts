import { listMembers as findMembers, type ListedMember } from "@/server/db/member-changes";

/** Lists all members of the merchant, active ones first, then by email address. */
export function listMembers(merchantId: string): Promise<ListedMember[]> {
  return findMembers(merchantId);
}
