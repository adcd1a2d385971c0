import { listMembers as findMembers, type ListedMember } from "@/server/db/member-changes";

/** Everybody of the merchant, active ones first, then by address. */
export function listMembers(merchantId: string): Promise<ListedMember[]> {
  return findMembers(merchantId);
}
