import type { RefundOrder } from "@/server/domain/suspense-refund";
import { matchesProposal, proposalDigest } from "../audit/proposal-digest";

/** Version of the digested text; change it with the format. */
const FORM = "sluice-refund-1";

type Proposed = RefundOrder & { readonly proposedBy: string; readonly proposedAt: Date };

function proposedText(refund: Proposed): string {
  const { merchantId, environment, id, exceptionId, fact, ordinal, paymentId, paymentReference } = refund;
  const { providerReference, receiptId, provider, reference, amount, currency, reason } = refund;
  const about = [merchantId, environment, exceptionId, fact, ordinal, paymentId, paymentReference];
  const order = [providerReference, receiptId, provider, reference, amount.toString(), currency, reason];
  return JSON.stringify([FORM, id, about, order, [refund.proposedBy, refund.proposedAt.toISOString()]]);
}

/** Returns the digest to store with a proposal. */
export function refundDigest(refund: Proposed): string {
  return proposalDigest(proposedText(refund));
}

/** Returns true if the proposal is unchanged (`matchesProposal`). */
export function isAsProposed(refund: Proposed & { readonly digest: string }): boolean {
  return matchesProposal(refund.digest, proposedText(refund));
}
