// The keyed digest of a proposed journal entry: it proves that this service stored the row, as it is, for its proposer.
import type { StoredJournalEntry } from "@/server/db/journal";
import { digestMatches, keyedDigest } from "@/server/platform/crypto";
import { keyRing } from "@/server/platform/keys";

type Proposed = Omit<StoredJournalEntry, "digest" | "state" | "decidedBy" | "decidedAt">;

/** Changes whenever the text does. */
const FORM = "sluice-journal-1";

function proposedText(entry: Proposed): string {
  const { merchantId, environment, id, from, to, currency, amount, provider, evidence, exceptionId } = entry;
  const content = [from, to, currency, amount.toString(), provider, evidence, exceptionId];
  return JSON.stringify([FORM, merchantId, environment, id, content, entry.proposedBy, entry.proposedAt.toISOString()]);
}

/** The digest to be stored with a proposal: `<key id>.<hex>`. */
export function journalDigest(entry: Proposed): string {
  return keyedDigest(keyRing(), "proposal", proposedText(entry));
}

/** False for a proposal that was inserted or edited past the service, or stored by a release without digests. */
export function isAsProposed(entry: StoredJournalEntry): boolean {
  return entry.digest !== null && digestMatches(keyRing(), "proposal", entry.digest, proposedText(entry));
}
