// Confirming a proposed policy: the second of its two people puts it into effect.
import type { PolicyVersion } from "@/server/db/approval-policies";
import type { CallContext } from "@/server/domain/scope";
import { decideProposal } from "./decide";

/**
 * Puts the proposed version into effect, in place of the active one: for payouts created from now on, here at once, on
 * other processes within a second. Throws not_found when the version is not proposed, approval_required for who proposed
 * it, validation_failed when the members could not satisfy it (any more) or when it differs from what was proposed, Forbidden
 * without the role.
 */
export function confirmPolicy(context: CallContext, version: number): Promise<PolicyVersion> {
  return decideProposal(context, version, "confirm");
}
