// Presents a delivery in the dashboard: as over REST, with what it is about and the body that it sends.

import type { Delivery } from "@/server/domain/delivery-record";
import { presentDelivery } from "@/server/http/present/webhook";

/** Presents the delivery with its event's object and body. */
export function presentWholeDelivery(delivery: Delivery) {
  return { ...presentDelivery(delivery), intent_id: delivery.intentId, body: delivery.body };
}

export type PresentedDelivery = ReturnType<typeof presentWholeDelivery>;
