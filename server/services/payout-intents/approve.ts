// Owns approving payouts: people other than the maker open the gate, as many as the payout's policy asked for.
import { ServiceError } from "@/server/domain/errors";
import { decideApproval, type PayoutIntent } from "@/server/domain/payout-intent";
import type { CallContext } from "@/server/domain/scope";
import { merchantClock } from "../merchants/clock";
import { PAYOUTS, recordTransition } from "../record-transition";
import { approvalDigest, shownRevision } from "./approval-digest";
import { getPayoutIntent } from "./get";

export interface PayoutApproval {
  readonly id: string;
  /** What the approver was shown (`viewForApproval`); left out, they approve the payout as it is now. */
  readonly digest?: string | undefined;
}

/**
 * Approves a payout as a member. With the last approval required it waits for dispatch in `processing`; before that it
 * stays at the gate with one approval more. Throws not_found, Forbidden where the member may not approve, and
 * approval_required when only a person could, the payout is not at the gate, the member made it or has approved it
 * already, or it is no longer what the digest says.
 */
export async function approvePayoutIntent(context: CallContext, approval: PayoutApproval): Promise<PayoutIntent> {
  const { actor } = context;
  if (actor.type !== "member") throw new ServiceError("approval_required", "Only a member can approve a payout.");
  const { id, digest } = approval;
  const { scope } = context;
  const [clock, intent] = await Promise.all([merchantClock(scope), getPayoutIntent(scope, id)]);
  const at = clock();
  const decide = (current: PayoutIntent) => {
    const decision = decideApproval(current, actor, at);
    requireAsShown(current, digest);
    return decision;
  };
  const recorded = await recordTransition(PAYOUTS, intent, decide, {
    context,
    at,
    approval: (before) => ({ memberId: actor.id, policyVersion: before.policyVersion, ...signature(before, digest) }),
  });
  return recorded.intent;
}

function requireAsShown(intent: PayoutIntent, digest: string | undefined): void {
  if (digest === undefined || shownRevision(intent, digest) !== null) return;
  throw new ServiceError(
    "approval_required",
    "The payout intent is not what was shown any more; look at it again and approve what it is now.",
  );
}

function signature(intent: PayoutIntent, digest: string | undefined) {
  const revision = digest === undefined ? intent.revision : (shownRevision(intent, digest) ?? intent.revision);
  return { revision, digest: approvalDigest(intent, revision) };
}
