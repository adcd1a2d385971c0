import type { StoredJournalEntry } from "@/server/db/journal";
import { matchesProposal, proposalDigest } from "../audit/proposal-digest";

type ProposedEntry = Omit<StoredJournalEntry, "digest" | "state" | "decidedBy" | "decidedAt">;

/** Version of the digested text; change it with the format. */
const FORM = "sluice-journal-1";

function proposedText(entry: ProposedEntry): string {
  const { merchantId, environment, id, from, to, currency, amount, provider, evidence, exceptionId, objectId } = entry;
  // What an exception is about never changes, so its id is enough.
  const about = exceptionId === null && objectId !== null ? [objectId] : [];
  const additional = entry.isAdditional ? ["additional"] : [];
  const content = [from, to, currency, amount.toString(), provider, evidence, exceptionId, ...about, ...additional];
  return JSON.stringify([FORM, merchantId, environment, id, content, entry.proposedBy, entry.proposedAt.toISOString()]);
}

/** Returns the digest to store with a proposed journal entry. */
export function journalDigest(entry: ProposedEntry): string {
  return proposalDigest(proposedText(entry));
}

/** Returns true if the entry is unchanged since its proposal (`matchesProposal`). */
export function isAsProposed(entry: StoredJournalEntry): boolean {
  return matchesProposal(entry.digest, proposedText(entry));
}
