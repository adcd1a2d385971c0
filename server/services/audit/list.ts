// Lists the audit log for members, newest first.
import { type LogEntry, type LogFilter, listLogEntries } from "@/server/db/audit/log";
import { findNames } from "@/server/db/history";
import type { Scope } from "@/server/domain/scope";
import { statedName } from "../merchants/operator";
import type { PagePosition } from "../page";

export interface NamedLogEntry extends LogEntry {
  /** The member's email address, the key's name, or the name that an operator stated; null if unknown. */
  readonly actorName: string | null;
}

/**
 * Returns one page of at most `limit` entries of the scope and of the merchant as a whole that match the filter.
 * `next` is the cursor of the next page, null on the last.
 */
export async function listAuditLog(
  scope: Scope,
  filter: LogFilter,
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
