// Resending several deliveries: each has its own verdict, and none stops the others.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { query } from "@/server/db/client";
import { claimDueDeliveriesAcrossMerchants } from "@/server/db/webhooks/claims";
import { json, type LocalServer, startLocalServer } from "@/server/psp/testing/local-server";
import { requireInvariants } from "@/server/testing/invariants";
import { makeMerchant, type TestMerchant } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { createDeliveryWork, type DeliveryWork } from "./deliver-due";
import { deleteWebhookEndpoint } from "./endpoints";
import { resendDeliveries } from "./resend-many";
import { deliveryOf, makeEndpoint, makeEvent, workUntil, workUntilAttempted } from "./testing/deliveries";
import { updateWebhookEndpoint } from "./update-endpoint";

process.env.WEBHOOK_ALLOW_LOOPBACK = "true";

let receiver: LocalServer;
let merchant: TestMerchant;
let work: DeliveryWork;

beforeAll(async () => {
  receiver = await startLocalServer();
  receiver.respond = json(200, {});
  work = createDeliveryWork({ leaseMs: 200_000, deadlineMs: 90_000 });
});
afterAll(async () => {
  await work.finish();
  await receiver.stop();
  await requireInvariants();
});
beforeEach(async () => {
  merchant = await makeMerchant();
  receiver.received.length = 0;
});

/** A delivery that has arrived, at an endpoint of its own. */
async function delivered(eventTypes: Parameters<typeof makeEndpoint>[2] = {}) {
  const { endpoint } = await makeEndpoint(merchant, receiver.url, eventTypes);
  const eventId = await makeEvent(merchant);
  const { id } = await workUntilAttempted(work, merchant, eventId, 1);
  return { id, endpointId: endpoint.id, eventId };
}

const acts = async (id: string) => {
  const rows = await query<{ count: number }>(
    "SELECT count(*)::int AS count FROM audit_entry WHERE merchant_id = $1 AND object_id = $2 AND action = 'delivery.resend'",
    merchant.merchantId,
    id,
  );
  return rows[0]?.count;
};

it("is sent again, once for an id that is named twice, with one audit entry", async () => {
  const { id, eventId } = await delivered();
  expect(await resendDeliveries(merchant.context, [id, id])).toEqual([{ id, done: true, verdict: "due" }]);
  await workUntil(work, async () => (await deliveryOf(merchant, eventId)).attemptCount === 2);
  expect(receiver.received.map(({ body }) => body)).toHaveLength(2);
  expect(receiver.received[0]?.body).toBe(receiver.received[1]?.body);
  expect(await acts(id)).toBe(1);
});

it("waits for a paused endpoint, and is sent once it is enabled", async () => {
  const { id, endpointId, eventId } = await delivered();
  await updateWebhookEndpoint(merchant.context, { id: endpointId, state: "paused" }, withoutIdempotency());
  expect(await resendDeliveries(merchant.context, [id])).toEqual([{ id, done: true, verdict: "waits" }]);
  await work.round();
  expect((await deliveryOf(merchant, eventId)).attemptCount).toBe(1);
  await updateWebhookEndpoint(merchant.context, { id: endpointId, state: "enabled" }, withoutIdempotency());
  await workUntilAttempted(work, merchant, eventId, 2);
});

it("changes nothing for a disabled endpoint, a deleted one, another merchant's or a malformed id, and says so", async () => {
  const { id, endpointId, eventId } = await delivered();
  await query(
    "UPDATE webhook_endpoint SET state = 'disabled', disabled_reason = 'gone', disabled_at = now() WHERE id = $1",
    endpointId,
  );
  const stranger = await makeMerchant();
  const absent = "dlv_00000000000000000000000000";
  expect(await resendDeliveries(merchant.context, [id, absent, "'; DROP"])).toEqual([
    { id, done: false, verdict: "disabled" },
    { id: absent, done: false, verdict: "gone" },
    { id: "'; DROP", done: false, verdict: "gone" },
  ]);
  expect(await resendDeliveries(stranger.context, [id])).toEqual([{ id, done: false, verdict: "gone" }]);
  const inLive = { ...merchant.context, scope: { ...merchant.scope, environment: "live" as const } };
  expect(await resendDeliveries(inLive, [id])).toEqual([{ id, done: false, verdict: "gone" }]);
  await deleteWebhookEndpoint(merchant.context, endpointId, withoutIdempotency());
  expect(await resendDeliveries(merchant.context, [id])).toEqual([{ id, done: false, verdict: "gone" }]);
  expect((await deliveryOf(merchant, eventId)).state).toBe("delivered");
  expect(await acts(id)).toBe(0);
});

it("leaves one alone that is being sent, and says so", async () => {
  await makeEndpoint(merchant, receiver.url);
  const eventId = await makeEvent(merchant);
  await claimDueDeliveriesAcrossMerchants({ perEndpoint: {}, newEndpoint: 10, total: 1_000 }, 600_000);
  const { id } = await deliveryOf(merchant, eventId);
  expect(await resendDeliveries(merchant.context, [id])).toEqual([{ id, done: false, verdict: "sending" }]);
  expect(await acts(id)).toBe(0);
});

it("two members at once send it again without a failure", async () => {
  const { id } = await delivered();
  const results = await Promise.all([
    resendDeliveries(merchant.byMember(), [id]),
    resendDeliveries(merchant.byMember(), [id]),
  ]);
  expect(results.flat().map(({ verdict }) => verdict)).toEqual(["due", "due"]);
  expect(await acts(id)).toBe(2);
});
