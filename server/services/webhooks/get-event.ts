import { findEvent } from "@/server/db/webhooks/events";
import type { StoredEvent } from "@/server/domain/delivery-record";
import { notFoundError } from "@/server/domain/errors";
import type { Scope } from "@/server/domain/scope";
import { isId } from "@/server/platform/ids";

/** The event, or not_found: foreign, absent and malformed ids are one and the same. */
export async function getEvent(scope: Scope, id: string): Promise<StoredEvent> {
  const event = isId("event", id) ? await findEvent(scope, id) : null;
  if (!event) throw notFoundError();
  return event;
}
