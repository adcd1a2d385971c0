// Sending a delivery once more because somebody asks for it.
import { actOf } from "@/server/db/audit/record";
import { resendDelivery as resendRow } from "@/server/db/webhooks/deliveries";
import { findEndpoint } from "@/server/db/webhooks/endpoints";
import type { Delivery } from "@/server/domain/delivery-record";
import type { CallContext, Scope } from "@/server/domain/scope";
import { type Completed, completionFor, type Idempotency, withoutIdempotency } from "../idempotency/completion";
import { orKeyConflict } from "../idempotency/once";
import { operatorContext } from "../merchants/operator";
import { getDelivery, listDeliveries } from "./deliveries";
import { getWebhookEndpoint } from "./endpoints";

/** More than an event has: ten endpoints, and some that have been deleted since. */
const MOST_ENDPOINTS = 100;

/**
 * Makes the delivery due now, whatever became of it before, at the beginning of its schedule. The event's id
 * and bytes are the same as ever. Nothing changes while an attempt is under way. Throws not_found, also when the
 * endpoint has been deleted.
 */
export async function resendDelivery(
  context: CallContext,
  id: string,
  idempotency: Idempotency<Delivery>,
): Promise<Completed<Delivery>> {
  const { scope } = context;
  const delivery = await getDelivery(scope, id);
  await getWebhookEndpoint(scope, delivery.endpointId);
  const { lease } = idempotency;
  await lease.take();
  const act = actOf(context);
  const intent = await orKeyConflict(
    resendRow(delivery, act, (after) => completionFor(idempotency, after, "accepted")),
  );
  lease.completed = true;
  return { intent, completion: "accepted" };
}

/** Sends an event once more as the operator, to every endpoint that was to get it and is there. Throws not_found. */
export async function resendEvent(scope: Scope, eventId: string): Promise<Delivery[]> {
  const { rows } = await listDeliveries(scope, { eventId }, null, MOST_ENDPOINTS);
  const resent: Delivery[] = [];
  for (const { id, endpointId } of rows) {
    if (!(await findEndpoint(scope, endpointId))) continue;
    const done = await resendDelivery(operatorContext(scope.merchantId, scope.environment), id, withoutIdempotency());
    resent.push(done.intent);
  }
  return resent;
}
