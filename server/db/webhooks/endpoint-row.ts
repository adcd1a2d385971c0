// The mapping of webhook endpoints to their rows. Secrets are not part of an endpoint; who signs reads them apart.
import type { DisabledReason, EndpointState } from "@/server/domain/delivery";
import type { EventType } from "@/server/domain/events";
import type { Environment } from "@/server/domain/scope";
import type { WebhookEndpoint } from "@/server/domain/webhook-endpoint";

export interface EndpointRow {
  merchant_id: string;
  id: string;
  environment: Environment;
  url: string;
  description: string;
  event_types: EventType[] | null;
  state: EndpointState;
  disabled_reason: DisabledReason | null;
  disabled_at: Date | null;
  previous_secret_until: Date | null;
  failing_since: Date | null;
  warned_hours: number;
  last_accepted_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** The columns that `fromEndpointRow` expects. */
export const ENDPOINT_COLUMNS = `merchant_id, id, environment, url, description, event_types, state, disabled_reason,
  disabled_at, previous_secret_until, failing_since, warned_hours, last_accepted_at, created_at, updated_at`;

/** The endpoint that a row holds. */
export function fromEndpointRow(row: EndpointRow): WebhookEndpoint {
  return {
    merchantId: row.merchant_id,
    id: row.id,
    environment: row.environment,
    url: row.url,
    description: row.description,
    eventTypes: row.event_types,
    state: row.state,
    disabledReason: row.disabled_reason,
    disabledAt: row.disabled_at,
    previousSecretUntil: row.previous_secret_until,
    failingSince: row.failing_since,
    warnedHours: row.warned_hours,
    lastAcceptedAt: row.last_accepted_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** What the audit log tells of an endpoint: no secret. */
export function auditedEndpoint(endpoint: WebhookEndpoint) {
  return {
    url: endpoint.url,
    description: endpoint.description,
    event_types: endpoint.eventTypes,
    state: endpoint.state,
    disabled_reason: endpoint.disabledReason,
  };
}
