// The audit log as members read it: who did what to what, newest first.
import { type LogEntry, listLogEntries } from "@/server/db/audit/log";
import { findNames } from "@/server/db/history";
import type { Scope } from "@/server/domain/scope";
import { statedName } from "../merchants/operator";
import type { PagePosition } from "../page";

export interface NamedLogEntry extends LogEntry {
  /** Address of the member, name of the key, or what an operator stated; null where nothing is known. */
  readonly actorName: string | null;
}

/**
 * One page of at most `limit` entries of the scope, with those of the merchant as a whole; of one object where its id is
 * given. `next` is where the next page begins, null after the last.
 */
export async function listAuditLog(
  scope: Scope,
  filter: { readonly objectId?: string | undefined },
  after: PagePosition | null,
  limit: number,
): Promise<{ readonly entries: readonly NamedLogEntry[]; readonly next: PagePosition | null }> {
  const { entries, next } = await listLogEntries(scope, filter, after, limit);
  const names = await findNames(scope.merchantId, [...new Set(entries.map(({ actorId }) => actorId))]);
  return {
    entries: entries.map((entry) => ({
      ...entry,
      actorName: names.get(entry.actorId) ?? statedName(entry.actorType, entry.actorId),
    })),
    next,
  };
}
