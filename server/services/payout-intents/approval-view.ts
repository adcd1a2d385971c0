// Owns what an approver is shown of a payout: the payout, who has approved it, and the digest that stands for it.
import { findApprovals, type GivenApproval } from "@/server/db/approvals";
import type { PayoutIntent } from "@/server/domain/payout-intent";
import type { Scope } from "@/server/domain/scope";
import { approvalDigest } from "./approval-digest";
import { getPayoutIntent } from "./get";

export interface ApprovalView {
  readonly intent: PayoutIntent;
  /** To be handed back with the approval: it approves this, and nothing that the payout may have become. */
  readonly digest: string;
  /** In the order in which they were given. */
  readonly approvals: readonly GivenApproval[];
}

/** The payout as an approver should see it; throws not_found. */
export async function viewForApproval(scope: Scope, id: string): Promise<ApprovalView> {
  const intent = await getPayoutIntent(scope, id);
  return { intent, digest: approvalDigest(intent), approvals: await findApprovals(intent) };
}
