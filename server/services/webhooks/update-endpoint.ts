// Changing a webhook endpoint: its address, its events, and whether it is sent anything.
import { changeEndpoint, type EndpointChange, skipWaitingOfDisabled } from "@/server/db/webhooks/endpoint-changes";
import { notFoundError } from "@/server/domain/errors";
import type { EventType } from "@/server/domain/events";
import type { CallContext } from "@/server/domain/scope";
import type { WebhookEndpoint } from "@/server/domain/webhook-endpoint";
import { now } from "@/server/platform/clock";
import type { Completed, Idempotency } from "../idempotency/completion";
import { completeChange, type EndpointResult } from "./endpoint-change";
import { getWebhookEndpoint } from "./endpoints";
import { requireReceiverUrl } from "./receiver-policy";

export interface UpdateEndpoint {
  readonly id: string;
  readonly url?: string | undefined;
  readonly description?: string | undefined;
  /** Null for all. */
  readonly eventTypes?: readonly EventType[] | null | undefined;
  readonly state?: "enabled" | "paused" | undefined;
}

const sameTypes = (a: readonly string[] | null, b: readonly string[] | null) =>
  JSON.stringify(a && [...a].sort()) === JSON.stringify(b && [...b].sort());

const leavesDisabled = ({ state }: WebhookEndpoint, command: UpdateEndpoint): boolean =>
  state === "disabled" && command.state !== undefined;

/** The change that brings the endpoint to what is asked, or null. One that was disabled starts afresh. */
function decideUpdate(endpoint: WebhookEndpoint, command: UpdateEndpoint, at: Date): EndpointChange | null {
  const { url = endpoint.url, description = endpoint.description, state = endpoint.state } = command;
  const eventTypes = command.eventTypes === undefined ? endpoint.eventTypes : command.eventTypes;
  const assignments: Record<string, unknown> = {};
  if (url !== endpoint.url) assignments.url = url;
  if (description !== endpoint.description) assignments.description = description;
  if (!sameTypes(eventTypes, endpoint.eventTypes))
    Object.assign(assignments, { event_types: eventTypes, subscribed_at: at });
  if (state !== endpoint.state) {
    const cleared = {
      disabled_reason: null,
      disabled_at: null,
      failing_since: null,
      warned_hours: 0,
      held_until: null,
    };
    Object.assign(assignments, { state, ...cleared });
  }
  if (Object.keys(assignments).length === 0) return null;
  return { verb: "update", assignments, skipsWaiting: leavesDisabled(endpoint, command) };
}

/**
 * Changes what is given. What waits for a paused endpoint is sent once it is enabled. What waits for a
 * disabled one, but not what is being sent, is skipped when it leaves that state, and `missed` tells how much a replay would send. Throws not_found,
 * and validation_failed for a URL that may not be called.
 */
export async function updateWebhookEndpoint(
  context: CallContext,
  command: UpdateEndpoint,
  idempotency: Idempotency<EndpointResult>,
): Promise<Completed<EndpointResult>> {
  const { scope } = context;
  const found = await getWebhookEndpoint(scope, command.id);
  if (command.url !== undefined && command.url !== found.url) await requireReceiverUrl(found.environment, command.url);
  const at = now();
  const done = await completeChange(context, { secret: null, completion: "changed" }, idempotency, async (effects) => {
    if (leavesDisabled(found, command)) await skipWaitingOfDisabled(found, at);
    return changeEndpoint(scope, command.id, (endpoint) => decideUpdate(endpoint, command, at), effects);
  });
  if (!done) throw notFoundError();
  return done;
}
