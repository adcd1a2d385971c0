// Presents the health of a webhook endpoint in the dashboard.
import { formatInstant } from "@/server/contract/instants";
import type { EndpointStretch } from "@/server/domain/endpoint-condition";
import type { EndpointHealth } from "@/server/services/webhooks/health";

const orNull = (instant: Date | null) => instant && formatInstant(instant);

/** Times as text; the figures are those of `EndpointActivity`. */
export function presentHealth({ endpoint, activity, condition, disabledFrom }: EndpointHealth) {
  return {
    webhook_endpoint_id: endpoint.id,
    condition,
    failing_since: orNull(endpoint.failingSince),
    last_accepted_at: orNull(endpoint.lastAcceptedAt),
    disabled_from: orNull(disabledFrom),
    attempts: activity.attempts,
    accepted: activity.accepted,
    median_ms: activity.medianMs,
    slow_ms: activity.slowMs,
    last_status: activity.lastStatus,
    last_error: activity.lastError,
    last_attempt_at: orNull(activity.lastAttemptAt),
    waiting: activity.waiting,
    next_attempt_at: orNull(activity.nextAttemptAt),
  };
}

export type PresentedHealth = ReturnType<typeof presentHealth>;

/** The times are in ms; see `EndpointStretch`. */
export function presentStretch({ from, attempts, accepted, medianMs, slowMs }: EndpointStretch) {
  return { from: formatInstant(from), attempts, accepted, median_ms: medianMs, slow_ms: slowMs };
}

export type PresentedStretch = ReturnType<typeof presentStretch>;
