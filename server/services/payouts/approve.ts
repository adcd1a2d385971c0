import { findStanding } from "@/server/db/approver-standings";
import { notFoundError, ServiceError } from "@/server/domain/errors";
import { decideApproval } from "@/server/domain/payout-gate";
import type { PayoutIntent } from "@/server/domain/payout-intent";
import type { CallContext } from "@/server/domain/scope";
import { getIntent } from "../intents/read";
import { recordTransition } from "../intents/transition";
import { merchantClock } from "../merchants/settings";
import { approvalDigest, shownRevision } from "./approval-digest";
import { PAYOUTS } from "./kind";

export interface PayoutApproval {
  readonly id: string;
  /** `approvalDigest` of the payout as the approver saw it; if absent, they approve the payout as it is now. */
  readonly digest?: string | undefined;
}

/**
 * Approves a payout as a member. After the last required approval it is `processing` and waits for dispatch; before that
 * it stays in `requires_approval` with one more approval. Throws not_found, Forbidden if the member may not approve, and
 * approval_required if the actor is not a member, the payout does not await approval, the member made it or the key that
 * made it, has approved it already or gained their authority after it was made, or the digest is stale.
 */
export async function approvePayoutIntent(context: CallContext, approval: PayoutApproval): Promise<PayoutIntent> {
  const { actor } = context;
  if (actor.type !== "member") throw new ServiceError("approval_required", "Only a member can approve a payout.");
  const { id, digest } = approval;
  const { scope } = context;
  const [clock, intent, standing] = await Promise.all([
    merchantClock(scope),
    getIntent(PAYOUTS, scope, id),
    findStanding(scope.merchantId, id, actor.id),
  ]);
  if (!standing) throw notFoundError();
  const at = clock();
  const decide = (current: PayoutIntent) => {
    const decision = decideApproval(current, standing, at);
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
    "The payout has changed since it was shown; review and approve it again.",
  );
}

function signature(intent: PayoutIntent, digest: string | undefined) {
  const revision = digest === undefined ? intent.revision : (shownRevision(intent, digest) ?? intent.revision);
  return { revision, digest: approvalDigest(intent, revision) };
}
