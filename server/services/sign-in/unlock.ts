// Ends the pauses of a member's sign-in.
import { actOf } from "@/server/db/audit/record";
import { clearCountsOf } from "@/server/db/sign-in-counts";
import type { CallContext } from "@/server/domain/scope";
import { signInDigest } from "./sign-in-throttle";

/**
 * Clears all counts of the member's failed passwords and codes; returns how many there were. A process that has just
 * rejected an attempt rejects further ones from the same source for up to 5 seconds more.
 */
export function unlockMember(context: CallContext, memberId: string): Promise<number> {
  const { merchantId } = context.scope;
  return clearCountsOf({ merchantId, memberId, digest: signInDigest(memberId) }, actOf(context));
}
