import type { StoredResolution } from "@/server/db/manual-resolutions";
import { matchesProposal, proposalDigest } from "../audit/proposal-digest";
import { approvalDigest } from "../payouts/approval-digest";
import type { ResolutionSubject } from "./subject";

/** The fields by which a person judges an intent or refund. */
function shown(subject: ResolutionSubject): readonly string[] {
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
    case "suspense_refund": {
      const { amount, currency, paymentId, provider, reference } = subject.refund;
      return [amount.toString(), currency, paymentId, provider, reference];
    }
  }
}

type ProposedResolution = Omit<StoredResolution, "digest" | "state" | "decidedBy" | "decidedAt">;

/** Version of the digested text; change it with the format. */
const FORM = "sluice-resolution-1";

function proposedText(subject: ResolutionSubject, proposed: ProposedResolution): string {
  const { merchantId, environment, id: intentId, status } = subject.intent;
  const { id, intentRevision, outcome, amount, currency, providerReference, evidence, proposedBy } = proposed;
  const about = [merchantId, environment, intentId, status, intentRevision, ...shown(subject)];
  const finding = [outcome, amount?.toString() ?? null, currency, providerReference, evidence];
  const by = [proposedBy.type, proposedBy.id, proposed.proposedAt.toISOString()];
  return JSON.stringify([FORM, id, about, finding, by]);
}

/** Returns the digest to store with a proposal about this revision of the intent. */
export function resolutionDigest(subject: ResolutionSubject, proposed: ProposedResolution): string {
  return proposalDigest(proposedText(subject, proposed));
}

/** Returns true if the proposal is unchanged and the intent is as shown to its proposer (`matchesProposal`). */
export function isAsProposed(subject: ResolutionSubject, resolution: StoredResolution): boolean {
  return matchesProposal(resolution.digest, proposedText(subject, resolution));
}
