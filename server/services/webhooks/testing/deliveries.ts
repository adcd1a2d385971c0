// What tests of deliveries share: endpoints at a receiver on this machine, events for them, and work until a
// condition.
import { setTimeout as pause } from "node:timers/promises";
import { query } from "@/server/db/client";
import type { Delivery } from "@/server/domain/delivery-record";
import type { WebhookEndpoint } from "@/server/domain/webhook-endpoint";
import { payment, type TestMerchant } from "@/server/testing/merchant";
import { withoutIdempotency } from "../../idempotency/completion";
import { createPaymentIntent } from "../../payments/create";
import { simulate } from "../../sandbox/simulate";
import { type CreateEndpoint, createWebhookEndpoint } from "../create-endpoint";
import type { DeliveryWork } from "../deliver-due";
import { listDeliveries } from "../deliveries";
import { listEvents } from "../events";

/** For a condition that must come about; bounds what hangs, not what is slow. */
const WITHIN_MS = 40_000;

/** An endpoint with its secret. */
export async function makeEndpoint(
  { context }: TestMerchant,
  url: string,
  changes: Partial<CreateEndpoint> = {},
): Promise<{ readonly endpoint: WebhookEndpoint; readonly secret: string }> {
  const command = { url, description: "", eventTypes: null, ...changes };
  const { endpoint, secret } = (await createWebhookEndpoint(context, command, withoutIdempotency())).intent;
  return { endpoint, secret: secret ?? "" };
}

/** A payment that ends; gives the id of its event. */
export async function makeEvent({ context, scope }: TestMerchant, outcome = "succeeded"): Promise<string> {
  const { intent } = await createPaymentIntent(context, payment(), withoutIdempotency());
  await simulate(context, intent.id, outcome);
  const { rows } = await listEvents(scope, { intentId: intent.id }, null, 1);
  return rows[0]?.id ?? "";
}

/** The deliveries of an event, by endpoint. */
export async function deliveriesOf({ scope }: TestMerchant, eventId: string): Promise<Map<string, Delivery>> {
  const { rows } = await listDeliveries(scope, { eventId }, null, 100);
  return new Map(rows.map((delivery) => [delivery.endpointId, delivery]));
}

/** The one delivery of an event. */
export async function deliveryOf(merchant: TestMerchant, eventId: string): Promise<Delivery> {
  const [only, ...others] = [...(await deliveriesOf(merchant, eventId)).values()];
  if (!only || others.length > 0) throw new Error(`${eventId} has not exactly one delivery`);
  return only;
}

/** Works as a worker does until the condition holds. */
export async function workUntil(work: DeliveryWork, holds: () => Promise<boolean> | boolean): Promise<void> {
  const end = performance.now() + WITHIN_MS;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error("what was waited for did not come about");
    await work.round();
    await pause(5);
  }
}

/** Works until the delivery has been attempted so often. */
export async function workUntilAttempted(
  work: DeliveryWork,
  merchant: TestMerchant,
  eventId: string,
  attempts: number,
): Promise<Delivery> {
  await workUntil(work, async () => (await deliveryOf(merchant, eventId)).attemptCount >= attempts);
  return deliveryOf(merchant, eventId);
}

/** As if the time of every delivery that waits, and of every claim, had come. */
export async function makeAllDue({ merchantId }: TestMerchant): Promise<void> {
  await query(
    "UPDATE delivery SET due_at = now() - interval '1 second' WHERE merchant_id = $1 AND state = 'pending'",
    merchantId,
  );
}
