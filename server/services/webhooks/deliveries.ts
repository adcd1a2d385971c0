import { keepLogPartitionsAcrossMerchants } from "@/server/db/log-partitions";
import { skipOrphansAcrossMerchants } from "@/server/db/webhooks/attempts";
import { type DeliveryFilter, findDelivery, listDeliveries as listRows } from "@/server/db/webhooks/deliveries";
import type { Delivery } from "@/server/domain/delivery-record";
import { notFoundError } from "@/server/domain/errors";
import type { Scope } from "@/server/domain/scope";
import { isId } from "@/server/platform/ids";
import { type Page, type PagePosition, pageOfRows } from "../page";
import { getWebhookEndpoint } from "./endpoints";
import { getEvent } from "./events";

/** The delivery with its newest attempts, or not_found. */
export async function getDelivery(scope: Scope, id: string): Promise<Delivery> {
  const delivery = isId("delivery", id) ? await findDelivery(scope, id) : null;
  if (!delivery) throw notFoundError();
  return delivery;
}

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

/** How long what was sent and answered can be looked up. */
const ATTEMPTS_KEPT_DAYS = 30;
const BATCH = 1_000;

/** Skips one batch of orphans and removes old attempts; returns 0 when nothing is left to do. */
export async function reapDeliveries(): Promise<number> {
  const skipped = await skipOrphansAcrossMerchants(BATCH);
  return skipped + (await keepLogPartitionsAcrossMerchants("delivery_attempt", ATTEMPTS_KEPT_DAYS));
}
