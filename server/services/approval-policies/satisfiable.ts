// Asking whether a merchant's members could satisfy a policy.
import { countActiveMembers } from "@/server/db/approval-policies";
import { type ApprovalPolicy, whyUnsatisfiable } from "@/server/domain/approval-policy";
import { validationError } from "@/server/domain/errors";
import { rolesFor } from "@/server/domain/permissions";

/** How many active members of the merchant may approve payouts. */
export function countApprovers(merchantId: string): Promise<number> {
  return countActiveMembers(merchantId, rolesFor("decide_payouts"));
}

/** Throws validation_failed, with the numbers, when that many approvers could not satisfy the policy. */
export function requireSatisfiable(policy: ApprovalPolicy, approvers: number): void {
  const why = whyUnsatisfiable(policy, approvers);
  if (why) throw validationError("policy", why);
}
