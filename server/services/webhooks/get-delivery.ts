import { findDelivery } from "@/server/db/webhooks/deliveries";
import type { Delivery } from "@/server/domain/delivery-record";
import { notFoundError } from "@/server/domain/errors";
import type { Scope } from "@/server/domain/scope";
import { isId } from "@/server/platform/ids";

/** The delivery with its newest attempts, or not_found. */
export async function getDelivery(scope: Scope, id: string): Promise<Delivery> {
  const delivery = isId("delivery", id) ? await findDelivery(scope, id) : null;
  if (!delivery) throw notFoundError();
  return delivery;
}
