// A refund of money in suspense, as the dashboard shows it.
import { formatInstant } from "@/server/contract/instants";
import type { RefundView } from "@/server/services/exceptions/refund-views";
import { type ActorNames, namedActor } from "@/server/services/members/names";
import { presentActor } from "./actor";

const instant = (at: Date | null) => at && formatInstant(at);

function presentFinding(resolution: RefundView["resolutions"][number], names: ActorNames) {
  const { id, outcome, providerReference, evidence, state, proposedBy, proposedAt, decidedBy, decidedAt } = resolution;
  return {
    id,
    outcome,
    provider_reference: providerReference,
    evidence,
    state,
    proposed_by: presentActor(namedActor(proposedBy, names)),
    proposed_at: formatInstant(proposedAt),
    decided_by: decidedBy && presentActor(namedActor(decidedBy, names)),
    decided_at: instant(decidedAt),
  };
}

/** Presents a refund with the people who decided on it, and what people found about its end. */
export function presentRefund({ refund, resolutions }: RefundView, names: ActorNames) {
  const { id, state, amount, currency, provider, reference, reason, paymentId, decidedBy } = refund;
  return {
    id,
    state,
    amount: amount.toString(),
    currency,
    payment_id: paymentId,
    provider,
    reference,
    reason,
    proposed_by: presentActor(namedActor({ type: "member", id: refund.proposedBy }, names)),
    proposed_at: formatInstant(refund.proposedAt),
    decided_by: decidedBy === null ? null : presentActor(namedActor({ type: "member", id: decidedBy }, names)),
    decided_at: instant(refund.decidedAt),
    ended_at: instant(refund.endedAt),
    findings: resolutions.map((resolution) => presentFinding(resolution, names)),
  };
}

export type PresentedRefund = ReturnType<typeof presentRefund>;
