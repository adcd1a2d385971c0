// Confirming or rejecting a proposed policy: one write by a second member.
import { decidePolicy, findCurrentPolicies, type PolicyVersion } from "@/server/db/approval-policies";
import { ServiceError } from "@/server/domain/errors";
import { rolesFor } from "@/server/domain/permissions";
import type { CallContext, Scope } from "@/server/domain/scope";
import { differsFromProposal } from "../audit/proposal-digest";
import { forgetActivePolicy } from "./active";
import { isAsProposed } from "./digest";
import { requireDecidingMember, requireSatisfiable } from "./requirements";

/** Decides on the proposal as the calling member. */
async function decideProposal(
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
  return new ServiceError(
    "approval_required",
    "Another member must confirm the policy: neither who proposed it, nor one whose authority is newer than the proposal.",
  );
}

/**
 * Puts the proposed version into effect, in place of the active one: for payouts created from now on, here at once, on
 * other processes within a second. Throws not_found when the version is not proposed, approval_required for who proposed
 * it or has newer authority, validation_failed when the members could not satisfy it (any more) or when it differs from what was proposed, Forbidden
 * without the role.
 */
export function confirmPolicy(context: CallContext, version: number): Promise<PolicyVersion> {
  return decideProposal(context, version, "confirm");
}

/**
 * Rejects the proposed version for good; who proposed it may take it back so. Throws not_found when the version is not
 * proposed, Forbidden without the role.
 */
export function rejectPolicy(context: CallContext, version: number): Promise<PolicyVersion> {
  return decideProposal(context, version, "reject");
}
