// Presents webhook endpoints, events and deliveries on the wire.
import { formatInstant } from "@/server/contract/instants";
import type {
  DeliveryResource,
  EndpointResource,
  EventResource,
  ReplayResource,
  TestResource,
} from "@/server/contract/webhooks";
import { WARNING_HOURS } from "@/server/domain/delivery";
import type { Delivery, DeliveryAttempt, StoredEvent } from "@/server/domain/delivery-record";
import type { EventType } from "@/server/domain/events";
import type { WebhookEndpoint } from "@/server/domain/webhook-endpoint";
import type { EndpointResult } from "@/server/services/webhooks/endpoint-change";
import type { ReplayResult } from "@/server/services/webhooks/replay";
import type { TestResult } from "@/server/services/webhooks/test-endpoint";

const orNull = (instant: Date | null) => instant && formatInstant(instant);

/** Presents the endpoint without its secret. */
export function presentEndpoint(endpoint: WebhookEndpoint): EndpointResource {
  return {
    object: "webhook_endpoint",
    id: endpoint.id,
    environment: endpoint.environment,
    url: endpoint.url,
    description: endpoint.description,
    event_types: endpoint.eventTypes && [...endpoint.eventTypes],
    state: endpoint.state,
    disabled_reason: endpoint.disabledReason,
    disabled_at: orNull(endpoint.disabledAt),
    failing_since: orNull(endpoint.failingSince),
    warned_hours: WARNING_HOURS.find((hours) => hours === endpoint.warnedHours) ?? null,
    last_accepted_at: orNull(endpoint.lastAcceptedAt),
    previous_secret_expires_at: orNull(endpoint.previousSecretUntil),
    created_at: formatInstant(endpoint.createdAt),
    updated_at: formatInstant(endpoint.updatedAt),
  };
}

/** Presents the endpoint with its current secret. */
export function presentEndpointWithSecret({ endpoint, secret }: EndpointResult) {
  return { ...presentEndpoint(endpoint), secret };
}

/** Presents the endpoint after a change, with the number of events that a replay would send. */
export function presentChangedEndpoint({ endpoint, missed }: EndpointResult) {
  return {
    ...presentEndpoint(endpoint),
    missed: missed && { deliveries: missed.count, since: formatInstant(missed.since) },
  };
}

/** Presents a deleted endpoint. */
export function presentDeletedEndpoint({ endpoint }: EndpointResult) {
  return { object: "webhook_endpoint", id: endpoint.id, deleted: true };
}

function presentSent(sent: Omit<DeliveryAttempt, "ordinal">) {
  return {
    attempted_at: formatInstant(sent.attemptedAt),
    response_status: sent.status,
    duration_ms: Math.round(sent.durationMs),
    request_headers: { ...sent.requestHeaders },
    response_body: sent.responseBody,
    error: sent.error,
    error_detail: sent.detail,
  };
}

/** Presents the result of a test. */
export function presentTest({ endpointId, eventId, type, isAccepted, ...sent }: TestResult): TestResource {
  return {
    object: "webhook_test",
    webhook_endpoint_id: endpointId,
    event_id: eventId,
    type,
    accepted: isAccepted,
    ...presentSent(sent),
  };
}

/** Presents the event with the members that endpoints receive. */
export function presentEvent({ body }: StoredEvent): EventResource {
  return { object: "event", ...(JSON.parse(body) as Omit<EventResource, "object">) };
}

/** Presents the delivery with its newest attempts. */
export function presentDelivery(delivery: Delivery): DeliveryResource {
  return {
    object: "delivery",
    id: delivery.id,
    environment: delivery.environment,
    event_id: delivery.eventId,
    event_type: delivery.eventType as EventType,
    webhook_endpoint_id: delivery.endpointId,
    state: delivery.state,
    attempt_count: delivery.attemptCount,
    next_attempt_at: orNull(delivery.nextAttemptAt),
    created_at: formatInstant(delivery.createdAt),
    ended_at: orNull(delivery.endedAt),
    attempts: delivery.attempts.map(({ ordinal, ...sent }) => ({ ordinal, ...presentSent(sent) })),
  };
}

/** Presents what a replay started. */
export function presentReplay({ endpoint, since, count, hasMore }: ReplayResult): ReplayResource {
  return {
    object: "webhook_replay",
    webhook_endpoint_id: endpoint.id,
    since: formatInstant(since),
    deliveries: count,
    has_more: hasMore,
  };
}
