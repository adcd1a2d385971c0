// What every change of a policy requires: a member with a role for it, and enough approvers.

import { countActiveMembers } from "@/server/db/approval-policies";
import { actOf } from "@/server/db/audit/record";
import { type ApprovalPolicy, whyUnsatisfiable } from "@/server/domain/approval-policy";
import { ServiceError, validationError } from "@/server/domain/errors";
import { requireAllowed, rolesFor } from "@/server/domain/permissions";
import type { CallContext, Scope } from "@/server/domain/scope";
import { actingMember } from "../members/acting-member";

/** The act of the calling member. Throws Forbidden without the role, approval_required for whoever is no member. */
export async function requireDecidingMember(context: CallContext) {
  const member = await actingMember(context);
  if (!member) throw new ServiceError("approval_required", "Only a member can change an approval policy.");
  requireAllowed(member, "decide_policies", context.scope.environment);
  return actOf(context);
}

/** How many active members of the merchant may approve payouts of the environment. */
export function countApprovers(scope: Scope): Promise<number> {
  return countActiveMembers(scope, rolesFor("decide_payouts"));
}

/** Throws validation_failed, with the numbers, when that many approvers could not satisfy the policy. */
export function requireSatisfiable(policy: ApprovalPolicy, approvers: number): void {
  const why = whyUnsatisfiable(policy, approvers);
  if (why) throw validationError("policy", why);
}
