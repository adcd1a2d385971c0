import { type EventFilter, findEvent, listEventsFrom, listEvents as listRows } from "@/server/db/webhooks/events";
import type { StoredEvent } from "@/server/domain/delivery-record";
import { notFoundError } from "@/server/domain/errors";
import type { Scope } from "@/server/domain/scope";
import { isId } from "@/server/platform/ids";
import { type Page, type PagePosition, pageOfRows } from "../page";

/** The event, or not_found: foreign, absent and malformed ids are one and the same. */
export async function getEvent(scope: Scope, id: string): Promise<StoredEvent> {
  const event = isId("event", id) ? await findEvent(scope, id) : null;
  if (!event) throw notFoundError();
  return event;
}

/** One page of at most `limit` events after the position. */
export async function listEvents(
  scope: Scope,
  filter: EventFilter,
  after: PagePosition | null,
  limit: number,
): Promise<Page<StoredEvent>> {
  return pageOfRows(await listRows(scope, filter, after, limit + 1), limit);
}

/** Up to `limit` events of that time and later, the oldest first, but for those that are known. */
export function followEvents(
  scope: Scope,
  from: Date,
  known: ReadonlyMap<string, unknown>,
  limit: number,
): Promise<StoredEvent[]> {
  return listEventsFrom(scope, from, [...known.keys()], limit);
}
