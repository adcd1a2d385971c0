// Listing deliveries: those of an event, those of an endpoint.
import { type DeliveryFilter, listDeliveries as listRows } from "@/server/db/webhooks/deliveries";
import type { Delivery } from "@/server/domain/delivery-record";
import type { Scope } from "@/server/domain/scope";
import { type Page, type PagePosition, pageOfRows } from "../page";
import { getWebhookEndpoint } from "./get-endpoint";
import { getEvent } from "./get-event";

/**
 * One page of at most `limit` deliveries, newest first, each with its newest attempts. Throws not_found when the event
 * or endpoint that is named is not of the scope.
 */
export async function listDeliveries(
  scope: Scope,
  filter: DeliveryFilter,
  after: PagePosition | null,
  limit: number,
): Promise<Page<Delivery>> {
  if (filter.eventId !== undefined) await getEvent(scope, filter.eventId);
  if (filter.endpointId !== undefined) await getWebhookEndpoint(scope, filter.endpointId);
  return pageOfRows(await listRows(scope, filter, after, limit + 1), limit);
}
