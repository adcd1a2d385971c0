// Proposing a change of the approval policy: the first of its two people.
import { insertProposal, type PolicyVersion } from "@/server/db/approval-policies";
import { isRefusedBy } from "@/server/db/failures";
import { type ApprovalPolicy, faultOfPolicy } from "@/server/domain/approval-policy";
import { validationError } from "@/server/domain/errors";
import type { CallContext } from "@/server/domain/scope";
import { merchantSettings, requireEnabledCurrency } from "../merchants/settings";
import { policyDigest } from "./digest";
import { countApprovers, requireDecidingMember, requireSatisfiable } from "./requirements";

/**
 * Stores the policy as the next version of the scope, proposed; nothing changes until another member confirms it. Throws
 * validation_failed for a faulty policy, one that the members could not satisfy, and while another proposal is open;
 * Forbidden without the role.
 */
export async function proposePolicy(context: CallContext, policy: ApprovalPolicy): Promise<PolicyVersion> {
  const { scope } = context;
  const act = await requireDecidingMember(context);
  const fault = faultOfPolicy(policy);
  if (fault) throw validationError(fault.path, fault.complaint);
  const merchant = await merchantSettings(scope.merchantId);
  for (const [n, { currency }] of policy.rules.entries()) {
    if (currency !== undefined) requireEnabledCurrency(merchant, `rules[${n}].currency`, currency);
  }
  requireSatisfiable(policy, await countApprovers(scope));
  try {
    const { actor: proposedBy, at: proposedAt } = act;
    const digestOf = (version: number) => policyDigest(scope, { version, policy, proposedBy, proposedAt });
    return await insertProposal(scope, policy, digestOf, act);
  } catch (error) {
    // Of two members who propose at once, the later may meet the version number first.
    if (!isRefusedBy(error, "approval_policy_one_proposed") && !isRefusedBy(error, "approval_policy_pkey")) throw error;
    throw validationError("policy", "cannot be proposed: another proposal is open; confirm or reject it first");
  }
}
