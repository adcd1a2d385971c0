// Owns how the command line shows manual resolutions and journal entries.
import { formatInstant } from "@/server/contract/instants";
import type { Actor } from "@/server/domain/scope";
import type { StoredJournalEntry } from "@/server/services/journal/list";
import type { StoredResolution } from "@/server/services/resolutions/list";

const actorText = ({ type, id }: Actor) => `${type}:${id}`;

/** In wire names; sums in minor units as text. */
export function presentResolution(resolution: StoredResolution) {
  const { proposedBy, proposedAt, decidedBy, decidedAt } = resolution;
  return {
    id: resolution.id,
    merchant_id: resolution.merchantId,
    environment: resolution.environment,
    intent_id: resolution.intentId,
    outcome: resolution.outcome,
    amount: resolution.amount?.toString() ?? null,
    currency: resolution.currency,
    provider_reference: resolution.providerReference,
    evidence: resolution.evidence,
    state: resolution.state,
    proposed_by: actorText(proposedBy),
    proposed_at: formatInstant(proposedAt),
    decided_by: decidedBy && actorText(decidedBy),
    decided_at: decidedAt && formatInstant(decidedAt),
  };
}

/** In wire names; sums in minor units as text. */
export function presentJournalEntry(entry: StoredJournalEntry) {
  const { proposedBy, proposedAt, decidedBy, decidedAt } = entry;
  return {
    id: entry.id,
    merchant_id: entry.merchantId,
    environment: entry.environment,
    from: entry.from,
    to: entry.to,
    currency: entry.currency,
    amount: entry.amount.toString(),
    provider: entry.provider,
    evidence: entry.evidence,
    exception_id: entry.exceptionId,
    state: entry.state,
    proposed_by: `operator:${proposedBy}`,
    proposed_at: formatInstant(proposedAt),
    decided_by: decidedBy && `operator:${decidedBy}`,
    decided_at: decidedAt && formatInstant(decidedAt),
  };
}
