// Owns how a payout looks to the dashboard: the REST resource, and who made, has approved and may decide on it.
import { formatInstant } from "@/server/contract/instants";
import type { PayoutIntent } from "@/server/domain/payout-intent";
import { presentPayoutIntent } from "@/server/http/present/payout-intent";
import type { PayoutPeople } from "@/server/services/intents/history";
import { approvalDigest } from "@/server/services/payouts/approval-digest";

/** Why the member cannot approve a payout that waits; null when they can, or when nobody needs to. */
export type ApprovalObstacle = "made_by_you" | "approved_by_you";

function obstacleOf(intent: PayoutIntent, people: PayoutPeople | undefined, memberId: string): ApprovalObstacle | null {
  const { createdBy } = intent;
  if (createdBy.type === "member" && createdBy.id === memberId) return "made_by_you";
  return people?.approvals.some((approval) => approval.memberId === memberId) ? "approved_by_you" : null;
}

/** One payout as the member sees it. */
export function presentPayout(intent: PayoutIntent, people: PayoutPeople | undefined, memberId: string) {
  const { createdBy, approvalsRequired, status } = intent;
  return {
    ...presentPayoutIntent(intent),
    made_by: { type: createdBy.type, id: createdBy.id, name: people?.makerName ?? null },
    approvals_required: approvalsRequired,
    approvals: (people?.approvals ?? []).map(({ memberId: id, memberName, at }) => ({
      member: { type: "member", id, name: memberName },
      at: formatInstant(at),
    })),
    /** Handed back with an approval, it stands for what is shown here. */
    digest: approvalDigest(intent),
    obstacle: status === "requires_approval" ? obstacleOf(intent, people, memberId) : null,
    lapses_at: status === "requires_approval" && intent.dueAt ? formatInstant(intent.dueAt) : null,
  };
}

export type PresentedPayout = ReturnType<typeof presentPayout>;
