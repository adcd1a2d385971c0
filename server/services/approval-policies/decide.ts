// What confirming and rejecting a proposed policy have in common: one write, and the reason when it did nothing.
import { decidePolicy, findCurrentPolicies, type PolicyVersion } from "@/server/db/approval-policies";
import { ServiceError } from "@/server/domain/errors";
import { rolesFor } from "@/server/domain/permissions";
import type { CallContext, Scope } from "@/server/domain/scope";
import { differsFromProposal } from "../audit/proposal-digest";
import { forgetActivePolicy } from "./active";
import { requireDecidingMember } from "./deciding-member";
import { isAsProposed } from "./digest";
import { requireSatisfiable } from "./satisfiable";

/** Decides on the proposal as the calling member; throws as `confirmPolicy` does. */
export async function decideProposal(
  context: CallContext,
  version: number,
  verdict: "confirm" | "reject",
): Promise<PolicyVersion> {
  const { scope } = context;
  const act = await requireDecidingMember(context);
  const decision = {
    version,
    verdict,
    roles: rolesFor("decide_policies"),
    approverRoles: rolesFor("decide_payouts"),
    check: (proposal: PolicyVersion, approvers: number) => {
      if (!isAsProposed(scope, proposal)) throw differsFromProposal("version", "a proposal");
      requireSatisfiable(proposal.policy, approvers);
    },
  };
  const decided = await decidePolicy(scope, decision, act);
  if (!decided) throw await explainRefusal(scope, version);
  forgetActivePolicy(scope);
  return decided;
}

async function explainRefusal(scope: Scope, version: number): Promise<ServiceError> {
  const current = await findCurrentPolicies(scope);
  const isProposed = current.some((one) => one.version === version && one.state === "proposed");
  if (!isProposed) return new ServiceError("not_found", `No version ${version} of the approval policy is proposed.`);
  return new ServiceError("approval_required", "Another member than the one who proposed the policy must confirm it.");
}
