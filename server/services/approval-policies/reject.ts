import type { PolicyVersion } from "@/server/db/approval-policies";
import type { CallContext } from "@/server/domain/scope";
import { decideProposal } from "./decide";

/**
 * Rejects the proposed version for good; who proposed it may take it back so. Throws not_found when the version is not
 * proposed, Forbidden without the role.
 */
export function rejectPolicy(context: CallContext, version: number): Promise<PolicyVersion> {
  return decideProposal(context, version, "reject");
}
