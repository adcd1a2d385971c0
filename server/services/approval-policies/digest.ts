import type { PolicyVersion } from "@/server/db/approval-policies";
import { writePolicy } from "@/server/domain/approval-policy-document";
import type { Actor, Scope } from "@/server/domain/scope";
import { matchesProposal, proposalDigest } from "../audit/proposal-digest";

interface ProposedPolicy extends Pick<PolicyVersion, "version" | "policy" | "proposedAt"> {
  readonly proposedBy: Pick<Actor, "type" | "id">;
}

/** Changes whenever the text does. */
const FORM = "sluice-policy-1";

function proposedText({ merchantId, environment }: Scope, proposed: ProposedPolicy): string {
  const { version, policy, proposedBy, proposedAt } = proposed;
  const by = [proposedBy.type, proposedBy.id, proposedAt.toISOString()];
  return JSON.stringify([FORM, merchantId, environment, version, writePolicy(policy), by]);
}

/** The digest to be stored with a proposed version of the scope's policy. */
export function policyDigest(scope: Scope, proposed: ProposedPolicy): string {
  return proposalDigest(proposedText(scope, proposed));
}

/** Whether the version is as this service stored it for its proposer (`matchesProposal`). */
export function isAsProposed(scope: Scope, version: PolicyVersion): boolean {
  return matchesProposal(version.digest, proposedText(scope, version));
}
