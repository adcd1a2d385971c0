// Showing a merchant's approval policy: what holds, what is proposed, and whether the members could satisfy it.
import { findCurrentPolicies, type PolicyVersion } from "@/server/db/approval-policies";
import { whyUnsatisfiable } from "@/server/domain/approval-policy";
import { notFoundError } from "@/server/domain/errors";
import type { Scope } from "@/server/domain/scope";
import { type ActorNames, actorNames } from "../members/names";
import { countApprovers } from "./requirements";

export interface PolicyView {
  readonly active: PolicyVersion;
  readonly proposed: PolicyVersion | null;
  /** Active members who may approve payouts. */
  readonly approvers: number;
  /** What a person should do something about: members may have left since a policy was confirmed. */
  readonly warnings: readonly string[];
  /** Of each person that a version names, by id. */
  readonly names: ActorNames;
}

/** The policy of the scope; throws not_found without such a merchant. */
export async function showPolicies(scope: Scope): Promise<PolicyView> {
  const [current, approvers] = await Promise.all([findCurrentPolicies(scope), countApprovers(scope)]);
  const active = current.find(({ state }) => state === "active");
  if (!active) throw notFoundError();
  const why = whyUnsatisfiable(active.policy, approvers);
  const proposed = current.find(({ state }) => state === "proposed") ?? null;
  const people = current.flatMap(({ proposedBy, decidedBy }) => [proposedBy.id, ...(decidedBy ? [decidedBy] : [])]);
  const names = await actorNames(scope.merchantId, people);
  return { active, proposed, approvers, names, warnings: why ? [`the active policy ${why}`] : [] };
}
