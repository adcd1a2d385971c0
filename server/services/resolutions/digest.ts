import type { StoredResolution } from "@/server/db/manual-resolutions";
import { matchesProposal, proposalDigest } from "../audit/proposal-digest";
import type { AnyIntent } from "../intent-kinds";
import { approvalDigest } from "../payouts/approval-digest";

/** What a person judges an intent by. */
function shown(subject: AnyIntent): readonly string[] {
  switch (subject.kind) {
    case "payment_intent": {
      const { amount, currency, paymentMethod } = subject.intent;
      return [amount.toString(), currency, paymentMethod];
    }
    case "payout_intent":
      return [approvalDigest(subject.intent)];
    case "topup_intent": {
      const { sourceAmount, sourceCurrency, receivedAmount, destinationAmount, destinationCurrency } = subject.intent;
      const sums = [sourceAmount, receivedAmount, destinationAmount].map(String);
      return [...sums, sourceCurrency, destinationCurrency];
    }
  }
}

type Proposed = Omit<StoredResolution, "digest" | "state" | "decidedBy" | "decidedAt">;

/** Changes whenever the text does. */
const FORM = "sluice-resolution-1";

function proposedText(subject: AnyIntent, proposed: Proposed): string {
  const { merchantId, environment, id: intentId, status } = subject.intent;
  const { id, intentRevision, outcome, amount, currency, providerReference, evidence, proposedBy } = proposed;
  const about = [merchantId, environment, intentId, status, intentRevision, ...shown(subject)];
  const finding = [outcome, amount?.toString() ?? null, currency, providerReference, evidence];
  const by = [proposedBy.type, proposedBy.id, proposed.proposedAt.toISOString()];
  return JSON.stringify([FORM, id, about, finding, by]);
}

/** The digest to be stored with a proposal about an intent of its revision. */
export function resolutionDigest(subject: AnyIntent, proposed: Proposed): string {
  return proposalDigest(proposedText(subject, proposed));
}

/** Whether a proposal about the intent's revision is as this service stored it, and the intent as it was shown (`matchesProposal`). */
export function isAsProposed(subject: AnyIntent, resolution: StoredResolution): boolean {
  return matchesProposal(resolution.digest, proposedText(subject, resolution));
}
