// A refund of money in suspense, as the dashboard shows it.
import { formatInstant } from "@/server/contract/instants";
import type { Actor } from "@/server/domain/scope";
import type { RefundView } from "@/server/services/exceptions/refund-views";
import { statedName } from "@/server/services/merchants/operator";

type Names = ReadonlyMap<string, string>;

/** Who acted, by id, and by the name that people know. */
function person({ type, id }: Actor, names: Names) {
  return { type, id, name: names.get(id) ?? statedName(type, id) };
}

const instant = (at: Date | null) => at && formatInstant(at);

function presentFinding(resolution: RefundView["resolutions"][number], names: Names) {
  const { id, outcome, providerReference, evidence, state, proposedBy, proposedAt, decidedBy, decidedAt } = resolution;
  return {
    id,
    outcome,
    provider_reference: providerReference,
    evidence,
    state,
    proposed_by: person(proposedBy, names),
    proposed_at: formatInstant(proposedAt),
    decided_by: decidedBy && person(decidedBy, names),
    decided_at: instant(decidedAt),
  };
}

/** Presents a refund with the people who decided on it, and what people found about its end. */
export function presentRefund({ refund, resolutions }: RefundView, names: Names) {
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
    proposed_by: person({ type: "member", id: refund.proposedBy }, names),
    proposed_at: formatInstant(refund.proposedAt),
    decided_by: decidedBy === null ? null : person({ type: "member", id: decidedBy }, names),
    decided_at: instant(refund.decidedAt),
    ended_at: instant(refund.endedAt),
    findings: resolutions.map((resolution) => presentFinding(resolution, names)),
  };
}

export type PresentedRefund = ReturnType<typeof presentRefund>;
