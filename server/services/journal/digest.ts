import type { StoredJournalEntry } from "@/server/db/journal";
import { matchesProposal, proposalDigest } from "../audit/proposal-digest";

type Proposed = Omit<StoredJournalEntry, "digest" | "state" | "decidedBy" | "decidedAt">;

/** Changes whenever the text does. */
const FORM = "sluice-journal-1";

function proposedText(entry: Proposed): string {
  const { merchantId, environment, id, from, to, currency, amount, provider, evidence, exceptionId } = entry;
  const content = [from, to, currency, amount.toString(), provider, evidence, exceptionId];
  return JSON.stringify([FORM, merchantId, environment, id, content, entry.proposedBy, entry.proposedAt.toISOString()]);
}

/** The digest to be stored with a proposed journal entry. */
export function journalDigest(entry: Proposed): string {
  return proposalDigest(proposedText(entry));
}

/** Whether the entry is as this service stored it for its proposer (`matchesProposal`). */
export function isAsProposed(entry: StoredJournalEntry): boolean {
  return matchesProposal(entry.digest, proposedText(entry));
}
