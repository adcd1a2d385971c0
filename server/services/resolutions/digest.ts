// The keyed digest of a proposed resolution: it proves that this service stored the row, as it is, about the intent as it was shown.
import type { StoredResolution } from "@/server/db/manual-resolutions";
import { digestMatches, keyedDigest } from "@/server/platform/crypto";
import { keyRing } from "@/server/platform/keys";
import type { AnyIntent } from "../intents/apply-update";
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

/** The digest to be stored with a proposal about an intent of its revision: `<key id>.<hex>`. */
export function resolutionDigest(subject: AnyIntent, proposed: Proposed): string {
  return keyedDigest(keyRing(), "proposal", proposedText(subject, proposed));
}

/**
 * False for a proposal about the intent's revision that was inserted or edited past the service, or stored by a release
 * without keyed digests.
 */
export function isAsProposed(subject: AnyIntent, resolution: StoredResolution): boolean {
  return digestMatches(keyRing(), "proposal", resolution.digest, proposedText(subject, resolution));
}
