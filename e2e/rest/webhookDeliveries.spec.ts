// Events reach the merchant: signed, visible, repeatable, and with the same bytes every time.
import { Webhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { verifyWebhook } from "@/client/src/main";
import type { EventResource } from "@/server/contract/webhooks";
import { type Receiver, startReceiver } from "../support/receiver";
import { bodyOf, cancelPayout, createPayout, refusalOf } from "./calls";
import { expect, test } from "./parties";
import { createEndpoint, deliveriesOf, ENDPOINTS, endedPayment, patch, remove, untilDelivery } from "./webhook-calls";

let receiver: Receiver;
test.beforeEach(async () => {
  receiver = await startReceiver();
});
test.afterEach(() => receiver.stop());

test("an event arrives, is verified by standardwebhooks, svix and our client, and equals what GET /events shows", async ({
  api,
}) => {
  const { id, secret } = await createEndpoint(api, receiver.url);
  const event = await endedPayment(api);
  const delivery = await untilDelivery(api, event.id, ({ state }) => state === "delivered");
  const [got] = receiver.received;
  if (!got) throw new Error("nothing arrived");
  for (const verifier of [new Webhook(secret), new SvixWebhook(secret)]) verifier.verify(got.body, got.headers);
  const { object, ...envelope } = bodyOf<EventResource>(await api.get(`/events/${event.id}`), 200);
  expect(object).toBe("event");
  expect(verifyWebhook(secret, got.headers, got.body)).toEqual(envelope);
  expect(delivery).toMatchObject({
    webhook_endpoint_id: id,
    event_id: event.id,
    attempt_count: 1,
    next_attempt_at: null,
  });
  expect(delivery.attempts).toMatchObject([{ ordinal: 1, response_status: 200, response_body: "thanks", error: null }]);
});

test("each type is sent only to endpoints that subscribe to it", async ({ api }) => {
  const all = await createEndpoint(api, `${receiver.url}/all`);
  await createEndpoint(api, `${receiver.url}/failed`, { event_types: ["payment_intent.failed"] });
  await createEndpoint(api, `${receiver.url}/none`, { event_types: ["payout_intent.succeeded"] });
  const events = [await endedPayment(api), await endedPayment(api, "declined"), await endedPayment(api, "expired")];
  const { id } = await createPayout(api);
  await cancelPayout(api, id, "twice");
  await expect.poll(() => receiver.received.length).toBe(5);
  const typesAt = (path: string) =>
    receiver.received
      .filter((one) => one.path === path)
      .map(({ body }) => (JSON.parse(body) as EventResource).type)
      .sort();
  expect(typesAt("/all")).toEqual([
    "payment_intent.expired",
    "payment_intent.failed",
    "payment_intent.succeeded",
    "payout_intent.cancelled",
  ]);
  expect(typesAt("/failed")).toEqual(["payment_intent.failed"]);
  expect(all.event_types).toBeNull();
  const listed = bodyOf<{ data: EventResource[] }>(await api.get("/events"), 200).data;
  expect(listed.map(({ type }) => type)).toEqual([
    "payout_intent.cancelled",
    ...events.map(({ type }) => type).reverse(),
  ]);
  const failed = bodyOf<{ data: EventResource[] }>(await api.get("/events?type=payment_intent.failed"), 200).data;
  expect(failed.map(({ id: eventId }) => eventId)).toEqual([events[1]?.id]);
});

test("a failed attempt is stored with its next time; a resend is sent immediately, with the same id and bytes", async ({
  api,
}) => {
  receiver.answer(500);
  await createEndpoint(api, receiver.url);
  const event = await endedPayment(api);
  const failed = await untilDelivery(api, event.id, ({ attempt_count }) => attempt_count >= 1);
  expect(failed).toMatchObject({ state: "pending", attempts: [{ response_status: 500 }] });
  receiver.answer(200);
  const resent = await api.post(`/deliveries/${failed.id}/resend`);
  expect(bodyOf<{ id: string }>(resent, 202).id).toBe(failed.id);
  await untilDelivery(api, event.id, ({ state }) => state === "delivered");
  expect((await api.post(`/deliveries/${failed.id}/resend`)).status).toBe(202);
  await untilDelivery(api, event.id, ({ state, attempt_count }) => state === "delivered" && attempt_count >= 3);
  expect(receiver.received.length).toBeGreaterThanOrEqual(3);
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([event.id]));
});

test("a paused endpoint gets its waiting deliveries once it is enabled", async ({ api }) => {
  const { id } = await createEndpoint(api, receiver.url);
  await patch(api, `${ENDPOINTS}/${id}`, { state: "paused" });
  const event = await endedPayment(api);
  expect(await deliveriesOf(api, event.id)).toMatchObject([{ state: "pending", attempt_count: 0 }]);
  bodyOf(await patch(api, `${ENDPOINTS}/${id}`, { state: "enabled" }), 200);
  await untilDelivery(api, event.id, ({ state }) => state === "delivered");
  expect(receiver.received).toHaveLength(1);
});

test("410 disables the endpoint; when enabled again it lists what was missed, and a replay sends it", async ({
  api,
}) => {
  receiver.answer(410);
  const { id } = await createEndpoint(api, receiver.url);
  const path = `${ENDPOINTS}/${id}`;
  const since = new Date(Date.now() - 60_000).toISOString();
  const first = await endedPayment(api);
  await expect
    .poll(async () => bodyOf<object>(await api.get(path), 200))
    .toMatchObject({ state: "disabled", disabled_reason: "gone" });
  const second = await endedPayment(api);
  receiver.answer(200);
  const enabled = bodyOf<{ missed: { deliveries: number } }>(await patch(api, path, { state: "enabled" }), 200);
  expect(enabled).toMatchObject({ state: "enabled", disabled_reason: null, missed: { deliveries: 2 } });
  expect(await deliveriesOf(api, second.id)).toMatchObject([{ state: "skipped" }]);
  const replay = await api.post(`${path}/replay`, { since });
  expect(bodyOf(replay, 202)).toMatchObject({ webhook_endpoint_id: id, deliveries: 2, has_more: false });
  for (const { id: eventId } of [first, second])
    await untilDelivery(api, eventId, ({ state }) => state === "delivered");
  expect(bodyOf(await api.post(`${path}/replay`, { since }), 202)).toMatchObject({ deliveries: 0 });
});

test("a replay to a new endpoint sends it events from before its creation", async ({ api }) => {
  const since = new Date(Date.now() - 60_000).toISOString();
  const event = await endedPayment(api);
  await endedPayment(api, "declined");
  const { id } = await createEndpoint(api, receiver.url, { event_types: ["payment_intent.succeeded"] });
  expect(bodyOf(await api.post(`${ENDPOINTS}/${id}/replay`, { since }), 202)).toMatchObject({ deliveries: 1 });
  await untilDelivery(api, event.id, ({ state }) => state === "delivered");
  expect(receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual([event.id]);
});

test("a test is sent once, signed and marked, and the answer shows its result", async ({ api }) => {
  const { id, secret } = await createEndpoint(api, receiver.url);
  const path = `${ENDPOINTS}/${id}/test`;
  const accepted = bodyOf<{ event_id: string }>(await api.post(path, { type: "payout_intent.cancelled" }), 200);
  expect(accepted).toMatchObject({ accepted: true, response_status: 200, response_body: "thanks", error: null });
  const [got] = receiver.received;
  expect(got?.headers["webhook-test"]).toBe("true");
  expect(verifyWebhook(secret, got?.headers ?? {}, got?.body ?? "")).toMatchObject({
    id: accepted.event_id,
    type: "payout_intent.cancelled",
    data: { status: "cancelled" },
  });
  receiver.answer(302);
  expect(bodyOf(await api.post(path), 200)).toMatchObject({ accepted: false, response_status: 302 });
  expect(receiver.received).toHaveLength(2);
  expect(bodyOf<{ data: object[] }>(await api.get("/events"), 200).data).toEqual([]);
});

test("events and deliveries of another merchant or environment are not found", async ({ api, strangerApi }) => {
  const { id } = await createEndpoint(api, receiver.url);
  const event = await endedPayment(api);
  const delivery = await untilDelivery(api, event.id, ({ state }) => state === "delivered");
  for (const answer of [
    await strangerApi.get(`/events/${event.id}`),
    await strangerApi.get(`/events/${event.id}/deliveries`),
    await strangerApi.post(`/deliveries/${delivery.id}/resend`),
  ])
    expect(refusalOf(answer, 404).code).toBe("not_found");
  bodyOf(await remove(api, `${ENDPOINTS}/${id}`), 200);
  expect(refusalOf(await api.post(`/deliveries/${delivery.id}/resend`), 404).code).toBe("not_found");
  expect(receiver.received).toHaveLength(1);
});
