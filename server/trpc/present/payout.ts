// Presents a payout in the dashboard: the REST resource, and who created, has approved and may decide on it.
import { formatInstant } from "@/server/contract/instants";
import { obstacleOf, type StandingObstacle } from "@/server/domain/payout-gate";
import type { PayoutIntent } from "@/server/domain/payout-intent";
import { presentPayoutIntent } from "@/server/http/present/payout-intent";
import type { PayoutPeople } from "@/server/services/intents/history";
import { approvalDigest } from "@/server/services/payouts/approval-digest";
import { presentActor } from "./actor";

type People = PayoutPeople<PayoutIntent>;

/** Why the member cannot approve a payout at the gate; null if they can, or if it needs no approval. */
export type ApprovalObstacle = StandingObstacle | "approved_by_you";

function obstacleFor({ payout, approvals, standing }: People, memberId: string): ApprovalObstacle | null {
  if (approvals.some((approval) => approval.memberId === memberId)) return "approved_by_you";
  return obstacleOf(payout, standing);
}

/** Presents one payout to the member. */
export function presentPayout(people: People, memberId: string) {
  const intent = people.payout;
  const { approvalsRequired, approvalsGiven, status } = intent;
  const atGate = status === "requires_approval";
  return {
    ...presentPayoutIntent(intent),
    made_by: presentActor(people.maker),
    /** The batch that it is a line of. */
    batch_id: intent.batchId,
    approvals_required: approvalsRequired,
    approvals: people.approvals.map(({ member, at }) => ({ member: presentActor(member), at: formatInstant(at) })),
    /** An approval sends it back; it identifies what is shown here. */
    digest: approvalDigest(intent),
    obstacle: atGate ? obstacleFor(people, memberId) : null,
    /** How many more people would have to be able to approve it. */
    approvers_missing: atGate ? Math.max(0, approvalsRequired - approvalsGiven - people.standing.approversLeft) : 0,
    lapses_at: atGate && intent.dueAt ? formatInstant(intent.dueAt) : null,
  };
}

export type PresentedPayout = ReturnType<typeof presentPayout>;
