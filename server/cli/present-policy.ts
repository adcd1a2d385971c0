// Owns how the command line shows a version of an approval policy.
import { formatInstant } from "@/server/contract/instants";
import { describePolicy, writePolicy } from "@/server/domain/approval-policy-document";
import type { PolicyView } from "@/server/services/approval-policies/show";

/** In wire names, with the policy as a file would hold it and as a sentence per rule. */
export function presentPolicy({ version, state, policy, ...people }: PolicyView["active"]) {
  const { proposedBy, proposedAt, decidedBy, decidedAt } = people;
  return {
    version,
    state,
    policy: writePolicy(policy),
    in_words: describePolicy(policy),
    proposed_by: `${proposedBy.type}:${proposedBy.id}`,
    proposed_at: formatInstant(proposedAt),
    decided_by: decidedBy && `member:${decidedBy}`,
    decided_at: decidedAt && formatInstant(decidedAt),
  };
}
