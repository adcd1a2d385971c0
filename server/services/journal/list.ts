import { listJournalEntriesAcrossMerchants, type StoredJournalEntry } from "@/server/db/journal";

export type { StoredJournalEntry };

const MAXIMUM = 1_000;

/** Lists the oldest 1,000, of one merchant or of all; `hasMore` is true if there are more. */
export async function listJournalEntries(filter: {
  readonly merchantId: string | null;
  readonly openOnly: boolean;
}): Promise<{ readonly entries: readonly StoredJournalEntry[]; readonly hasMore: boolean }> {
  const found = await listJournalEntriesAcrossMerchants(filter, MAXIMUM + 1);
  return { entries: found.slice(0, MAXIMUM), hasMore: found.length > MAXIMUM };
}
