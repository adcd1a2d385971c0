// Lists the audit log for members, newest first.
import { type LogEntry, type LogFilter, listLogEntries } from "@/server/db/audit/log";
import type { Scope } from "@/server/domain/scope";
import { actorNames, type NamedActor, namedActor } from "../members/names";
import type { PagePosition } from "../page";

export interface NamedLogEntry extends LogEntry {
  /** With the name and address that the actor has now. */
  readonly actor: NamedActor;
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
  const people = entries.map(({ actorId }) => actorId);
  const names = await actorNames(scope.merchantId, people);
  return {
    entries: entries.map((entry) => ({
      ...entry,
      actor: namedActor({ type: entry.actorType, id: entry.actorId }, names),
    })),
    next,
  };
}
