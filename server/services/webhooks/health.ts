// The health of webhook endpoints: their condition, and the figures behind it.
import { readActivity } from "@/server/db/webhooks/health";
import { readHistory } from "@/server/db/webhooks/health-history";
import { MAXIMUM_ENDPOINTS } from "@/server/domain/delivery";
import {
  conditionOf,
  disabledFrom,
  type EndpointActivity,
  type EndpointCondition,
  type EndpointStretch,
} from "@/server/domain/endpoint-condition";
import type { Scope } from "@/server/domain/scope";
import type { WebhookEndpoint } from "@/server/domain/webhook-endpoint";
import { getWebhookEndpoint, listWebhookEndpoints } from "./endpoints";

export interface EndpointHealth {
  readonly endpoint: WebhookEndpoint;
  readonly activity: EndpointActivity;
  readonly condition: EndpointCondition;
  /** When it is disabled if nothing is accepted until then; null if it does not fail. */
  readonly disabledFrom: Date | null;
}

/** The health of the endpoint, or of all endpoints of the scope. Throws not_found for an endpoint that is not there. */
export async function healthOfEndpoints(scope: Scope, id?: string): Promise<EndpointHealth[]> {
  const endpoints =
    id === undefined
      ? (await listWebhookEndpoints(scope, null, MAXIMUM_ENDPOINTS)).rows
      : [await getWebhookEndpoint(scope, id)];
  const healths = endpoints.map(async (endpoint): Promise<EndpointHealth | null> => {
    const activity = await readActivity(scope, endpoint.id);
    // Deleted since it was listed.
    if (!activity) return null;
    return { endpoint, activity, condition: conditionOf(endpoint, activity), disabledFrom: disabledFrom(endpoint) };
  });
  return (await Promise.all(healths)).filter((health) => health !== null);
}

/** How the endpoint fared in each stretch of the last days, the oldest first. Throws not_found for one that is not there. */
export async function historyOfEndpoint(scope: Scope, id: string): Promise<EndpointStretch[]> {
  await getWebhookEndpoint(scope, id);
  return readHistory(scope, id);
}
