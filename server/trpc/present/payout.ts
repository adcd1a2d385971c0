// Presents a payout in the dashboard: the REST resource, and who created, has approved and may decide on it.
import { formatInstant } from "@/server/contract/instants";
import type { PayoutIntent } from "@/server/domain/payout-intent";
import { presentPayoutIntent } from "@/server/http/present/payout-intent";
import type { PayoutPeople } from "@/server/services/intents/history";
import { approvalDigest } from "@/server/services/payouts/approval-digest";

/** Why the member cannot approve a payout at the gate; null if they can, or if it needs no approval. */
export type ApprovalObstacle = "made_by_you" | "approved_by_you";

function obstacleOf(intent: PayoutIntent, people: PayoutPeople | undefined, memberId: string): ApprovalObstacle | null {
  const { createdBy } = intent;
  if (createdBy.type === "member" && createdBy.id === memberId) return "made_by_you";
  return people?.approvals.some((approval) => approval.memberId === memberId) ? "approved_by_you" : null;
}

/** Presents one payout to the member. */
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
    /** An approval sends it back; it identifies what is shown here. */
    digest: approvalDigest(intent),
    obstacle: status === "requires_approval" ? obstacleOf(intent, people, memberId) : null,
    lapses_at: status === "requires_approval" && intent.dueAt ? formatInstant(intent.dueAt) : null,
  };
}

export type PresentedPayout = ReturnType<typeof presentPayout>;
