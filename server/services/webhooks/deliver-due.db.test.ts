// The worker's deliveries: signed, retried, recorded, fenced, and fair to every endpoint.
import type { ServerResponse } from "node:http";
import { Webhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { query } from "@/server/db/client";
import { claimDueDeliveriesAcrossMerchants } from "@/server/db/webhooks/claims";
import { json, type LocalServer, type Received, startLocalServer } from "@/server/psp/testing/local-server";
import { requireInvariants } from "@/server/testing/invariants";
import { makeMerchant, type TestMerchant } from "@/server/testing/merchant";
import { queryAsOwner } from "@/server/testing/owner";
import { withoutIdempotency } from "../idempotency/completion";
import { createDeliveryWork, type DeliveryWork } from "./deliver-due";
import { reapDeliveries } from "./deliveries";
import { getWebhookEndpoint, rotateWebhookSecret } from "./endpoints";
import { getEvent } from "./events";
import { reportAttempt } from "./report";
import {
  deliveriesOf,
  deliveryOf,
  makeAllDue,
  makeEndpoint,
  makeEvent,
  workUntil,
  workUntilAttempted,
} from "./testing/deliveries";
import { updateWebhookEndpoint } from "./update-endpoint";

process.env.WEBHOOK_ALLOW_LOOPBACK = "true";

/** So patient that no machine is too slow for what a test holds back. */
const PATIENT = { leaseMs: 200_000, deadlineMs: 90_000 };

let receiver: LocalServer;
let merchant: TestMerchant;
let work: DeliveryWork;

beforeAll(async () => {
  receiver = await startLocalServer();
  receiver.respond = json(200, {});
  merchant = await makeMerchant();
  work = createDeliveryWork(PATIENT);
});
afterAll(async () => {
  await work.finish();
  await receiver.stop();
});
afterEach(async () => {
  await query("UPDATE webhook_endpoint SET deleted_at = now() WHERE deleted_at IS NULL");
  await reapDeliveries();
  receiver.received.length = 0;
  receiver.respond = json(200, {});
  await requireInvariants();
});

const headersOf = ({ headers }: Received) => Object.fromEntries(headers.entries());
const receivedAt = (path: string) => receiver.received.filter((one) => one.path === path);

describe("a delivery", () => {
  it("is the stored bytes, signed so that standardwebhooks and svix verify it, once", async () => {
    const { secret } = await makeEndpoint(merchant, `${receiver.url}/ok`);
    const eventId = await makeEvent(merchant);
    const delivery = await workUntilAttempted(work, merchant, eventId, 1);
    expect(delivery).toMatchObject({ state: "delivered", attemptCount: 1, nextAttemptAt: null });
    const [got, ...repeats] = receiver.received as [Received, ...Received[]];
    expect(repeats).toEqual([]);
    expect(got.body).toBe((await getEvent(merchant.scope, eventId)).body);
    expect(got.headers.get("webhook-id")).toBe(eventId);
    expect(got.headers.get("webhook-test")).toBeNull();
    for (const verifier of [new Webhook(secret), new SvixWebhook(secret)])
      expect(verifier.verify(got.body, headersOf(got))).toMatchObject({ id: eventId });
    const [attempt] = delivery.attempts;
    expect(attempt).toMatchObject({ ordinal: 1, status: 200, error: null, responseBody: "{}" });
    expect(attempt?.requestHeaders["webhook-signature"]).toBe(got.headers.get("webhook-signature"));
  });

  it("is signed with both secrets while one is rotated, and both verify", async () => {
    const { endpoint, secret: former } = await makeEndpoint(merchant, `${receiver.url}/ok`);
    const { secret } = (await rotateWebhookSecret(merchant.context, endpoint.id, withoutIdempotency())).intent;
    await workUntilAttempted(work, merchant, await makeEvent(merchant), 1);
    const [got] = receiver.received as [Received];
    for (const each of [former, secret ?? ""]) expect(new Webhook(each).verify(got.body, headersOf(got))).toBeTruthy();
    await query("UPDATE webhook_endpoint SET previous_secret_until = now() WHERE id = $1", endpoint.id);
    await workUntilAttempted(work, merchant, await makeEvent(merchant), 1);
    const next = receiver.received[1] as Received;
    expect(() => new Webhook(former).verify(next.body, headersOf(next))).toThrow("No matching signature");
    expect(new Webhook(secret ?? "").verify(next.body, headersOf(next))).toBeTruthy();
  });

  it("that fails is sent again on the schedule, the same id and bytes, and given up after the tenth attempt", async () => {
    receiver.respond = json(500, { no: 1 });
    const { endpoint } = await makeEndpoint(merchant, `${receiver.url}/bad`);
    const eventId = await makeEvent(merchant);
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      const { state, nextAttemptAt } = await workUntilAttempted(work, merchant, eventId, attempt);
      expect([attempt, state, nextAttemptAt === null]).toEqual([
        attempt,
        attempt < 10 ? "pending" : "failed",
        attempt === 10,
      ]);
      await makeAllDue(merchant);
    }
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers.get("webhook-id")))).toEqual(new Set([eventId]));
    const { attempts } = await deliveryOf(merchant, eventId);
    expect(attempts.map(({ ordinal, status }) => [ordinal, status])).toEqual(
      Array.from({ length: 10 }, (_, n) => [10 - n, 500]),
    );
    expect((await getWebhookEndpoint(merchant.scope, endpoint.id)).failingSince).not.toBeNull();
  });

  it("waits for its next attempt as long as the receiver asks, and so does everything else for that endpoint", async () => {
    receiver.respond = (_received, response) => response.writeHead(429, { "retry-after": "600" }).end();
    await makeEndpoint(merchant, `${receiver.url}/busy`);
    const eventId = await makeEvent(merchant);
    const { nextAttemptAt } = await workUntilAttempted(work, merchant, eventId, 1);
    const [row] = await query<{ wait: number; hold: number }>(
      `SELECT extract(epoch FROM $2::timestamptz - now())::float AS wait,
              extract(epoch FROM held_until - now())::float AS hold
       FROM webhook_endpoint WHERE merchant_id = $1 AND deleted_at IS NULL`,
      merchant.merchantId,
      nextAttemptAt,
    );
    for (const seconds of [row?.wait, row?.hold]) {
      expect(seconds).toBeGreaterThan(500);
      expect(seconds).toBeLessThanOrEqual(600);
    }
    await makeEvent(merchant);
    await makeAllDue(merchant);
    expect(await claimDueDeliveriesAcrossMerchants({ perEndpoint: {}, newEndpoint: 4, total: 10 }, 1_000)).toEqual([]);
  });

  it("of an endpoint that has recovered clears what was noted about its failing", async () => {
    receiver.respond = json(503, {});
    const { endpoint } = await makeEndpoint(merchant, `${receiver.url}/flaky`);
    const eventId = await makeEvent(merchant);
    await workUntilAttempted(work, merchant, eventId, 1);
    receiver.respond = json(204, {});
    await makeAllDue(merchant);
    expect((await workUntilAttempted(work, merchant, eventId, 2)).state).toBe("delivered");
    expect(await getWebhookEndpoint(merchant.scope, endpoint.id)).toMatchObject({ failingSince: null, warnedHours: 0 });
  });
});

describe("an endpoint", () => {
  it("that answers 410 is disabled, with an audit entry; its deliveries go on gathering and are not sent", async () => {
    receiver.respond = json(410, {});
    const { endpoint } = await makeEndpoint(merchant, `${receiver.url}/gone`);
    const eventId = await makeEvent(merchant);
    await workUntilAttempted(work, merchant, eventId, 1);
    const stateNow = async () => (await getWebhookEndpoint(merchant.scope, endpoint.id)).state;
    await workUntil(work, async () => (await stateNow()) === "disabled");
    expect((await getWebhookEndpoint(merchant.scope, endpoint.id)).disabledReason).toBe("gone");
    const [entry] = await query(
      "SELECT action, actor_type FROM audit_entry WHERE object_id = $1 ORDER BY created_at DESC LIMIT 1",
      endpoint.id,
    );
    expect(entry).toEqual({ action: "webhook_endpoint.disable", actor_type: "worker" });
    const second = await makeEvent(merchant);
    await makeAllDue(merchant);
    expect(await claimDueDeliveriesAcrossMerchants({ perEndpoint: {}, newEndpoint: 4, total: 10 }, 1_000)).toEqual([]);
    expect((await deliveryOf(merchant, second)).state).toBe("pending");
  });

  it.each([
    [2, 1, "enabled"],
    [30, 24, "enabled"],
    [100, 96, "enabled"],
    [121, 0, "disabled"],
  ])("that has failed for %i hours is warned about at %i, and then is %s", async (hours, warned, state) => {
    receiver.respond = json(500, {});
    const { endpoint } = await makeEndpoint(merchant, `${receiver.url}/bad`);
    await query(
      "UPDATE webhook_endpoint SET failing_since = now() - $2 * interval '1 hour' WHERE id = $1",
      endpoint.id,
      hours,
    );
    await workUntilAttempted(work, merchant, await makeEvent(merchant), 1);
    const health = async () => {
      const now = await getWebhookEndpoint(merchant.scope, endpoint.id);
      return [now.state, now.warnedHours];
    };
    await expect.poll(health).toEqual([state, warned]);
  });

  it("that is paused has its deliveries wait, and gets them once it is enabled", async () => {
    const { endpoint } = await makeEndpoint(merchant, `${receiver.url}/paused`);
    const { endpoint: other } = await makeEndpoint(merchant, `${receiver.url}/other`);
    await updateWebhookEndpoint(merchant.context, { id: endpoint.id, state: "paused" }, withoutIdempotency());
    const eventId = await makeEvent(merchant);
    const stateOf = async (id: string) => (await deliveriesOf(merchant, eventId)).get(id)?.state;
    await workUntil(work, async () => (await stateOf(other.id)) === "delivered");
    expect(await stateOf(endpoint.id)).toBe("pending");
    await updateWebhookEndpoint(merchant.context, { id: endpoint.id, state: "enabled" }, withoutIdempotency());
    await workUntil(work, async () => (await stateOf(endpoint.id)) === "delivered");
    expect(receivedAt("/paused")).toHaveLength(1);
  });

  it("is never sent more than four at a time, and one that hangs holds up nobody else", async () => {
    const held: ServerResponse[] = [];
    let mostHeld = 0;
    receiver.respond = ({ path }, response) => {
      if (path === "/fine") return void response.end();
      mostHeld = Math.max(mostHeld, held.push(response));
    };
    const { endpoint: stuck } = await makeEndpoint(merchant, `${receiver.url}/stuck`);
    const { endpoint: fine } = await makeEndpoint(merchant, `${receiver.url}/fine`);
    const events = await Promise.all(Array.from({ length: 12 }, () => makeEvent(merchant)));
    const stateOf = async (eventId: string, id: string) => (await deliveriesOf(merchant, eventId)).get(id)?.state;
    const allReached = async (id: string) =>
      (await Promise.all(events.map((eventId) => stateOf(eventId, id)))).every((state) => state === "delivered");
    await workUntil(work, () => allReached(fine.id));
    await workUntil(work, () => held.length === 4);
    expect(await Promise.all(events.map((eventId) => stateOf(eventId, stuck.id)))).toEqual(events.map(() => "pending"));
    await workUntil(work, async () => {
      for (const response of held.splice(0)) response.end();
      return allReached(stuck.id);
    });
    expect(mostHeld).toBe(4);
  });
});

describe("a claim", () => {
  const take = (inAll: number, leaseMs = 30_000) =>
    claimDueDeliveriesAcrossMerchants({ perEndpoint: {}, newEndpoint: 4, total: inAll }, leaseMs);

  it("takes the first of every endpoint before the second of any, however long the backlogs", async () => {
    const { endpoint: busy } = await makeEndpoint(merchant, `${receiver.url}/busy`);
    await Promise.all(Array.from({ length: 8 }, () => makeEvent(merchant)));
    const { endpoint: quiet } = await makeEndpoint(merchant, `${receiver.url}/quiet`);
    await makeEvent(merchant);
    const first = await take(2);
    expect(first.map(({ endpointId }) => endpointId).sort()).toEqual([busy.id, quiet.id].sort());
    const rest = await take(100);
    expect(rest.map(({ endpointId }) => endpointId)).toEqual(Array.from({ length: 4 }, () => busy.id));
  });

  it("leaves an endpoint alone that the caller has no room for", async () => {
    const { endpoint } = await makeEndpoint(merchant, `${receiver.url}/full`);
    await makeEvent(merchant);
    const rooms = { [endpoint.id]: 0 };
    expect(await claimDueDeliveriesAcrossMerchants({ perEndpoint: rooms, newEndpoint: 4, total: 10 }, 1_000)).toEqual(
      [],
    );
  });

  it("is one worker's alone: of eight that claim at once none gets what another has", async () => {
    await makeEndpoint(merchant, `${receiver.url}/one`);
    await Promise.all(Array.from({ length: 12 }, () => makeEvent(merchant)));
    const claims = await Promise.all(Array.from({ length: 8 }, () => take(3)));
    const ids = claims.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(0);
  });

  it("that lapsed is another's, and what its late owner found is not written", async () => {
    await makeEndpoint(merchant, `${receiver.url}/ok`);
    const eventId = await makeEvent(merchant);
    const [stale] = await take(1);
    await makeAllDue(merchant);
    const delivery = await workUntilAttempted(work, merchant, eventId, 1);
    expect(delivery.state).toBe("delivered");
    const facts = { durationMs: 1, requestHeaders: {}, responseBody: "", detail: null, attemptedAt: new Date() };
    const failed = { status: 500, error: null };
    if (!stale) throw new Error("nothing was claimed");
    await reportAttempt(stale, { facts: { ...facts, ...failed }, result: { ...failed, retryAfterMs: null } }, 0.5);
    expect(await deliveryOf(merchant, eventId)).toEqual(delivery);
  });

  it("of a worker that died after the receiver's answer is sent again: same id, same bytes", async () => {
    await makeEndpoint(merchant, `${receiver.url}/ok`);
    const eventId = await makeEvent(merchant);
    const dying = createDeliveryWork(PATIENT);
    await dying.round();
    await workUntil(dying, () => receiver.received.length > 0);
    await dying.finish();
    // As if its commit had never arrived.
    await query(
      "UPDATE delivery SET state = 'pending', attempts = 0, step = 0, due_at = now() - interval '1 second', ended_at = NULL WHERE event_id = $1",
      eventId,
    );
    await query("DELETE FROM delivery_attempt WHERE merchant_id = $1", merchant.merchantId);
    await workUntilAttempted(work, merchant, eventId, 1);
    const [first, second] = receiver.received as [Received, Received];
    expect(second.body).toBe(first.body);
    expect(second.headers.get("webhook-id")).toBe(first.headers.get("webhook-id"));
  });

  it("that a worker has not begun is given back when it ends in order", async () => {
    const ending = createDeliveryWork(PATIENT);
    await makeEndpoint(merchant, `${receiver.url}/ok`);
    await workUntilAttempted(ending, merchant, await makeEvent(merchant), 1);
    const held: ServerResponse[] = [];
    receiver.respond = (_received, response) => void held.push(response);
    await Promise.all(Array.from({ length: 7 }, () => makeEvent(merchant)));
    const inFlight = async () => {
      const [row] = await query<{ count: number }>(
        "SELECT count(*)::int AS count FROM delivery WHERE merchant_id = $1 AND in_flight",
        merchant.merchantId,
      );
      return row?.count;
    };
    await workUntil(ending, async () => held.length === 4 && (await inFlight()) === 7);
    const ended = ending.finish();
    await expect.poll(inFlight).toBe(4);
    for (const response of held) response.end();
    await ended;
    expect(await inFlight()).toBe(0);
    expect(await take(10)).toHaveLength(3);
  });
});

describe("records of attempts", () => {
  it("are kept for thirty days and then go; the delivery stays", async () => {
    await makeEndpoint(merchant, `${receiver.url}/ok`);
    const eventId = await makeEvent(merchant);
    await workUntilAttempted(work, merchant, eventId, 1);
    while ((await reapDeliveries()) > 0);
    expect(await deliveryOf(merchant, eventId)).toMatchObject({ attemptCount: 1, attempts: [{ ordinal: 1 }] });
    await queryAsOwner("SELECT keep_log_partitions_at('delivery_attempt', 30, now() + interval '34 days')");
    expect(await deliveryOf(merchant, eventId)).toMatchObject({ state: "delivered", attemptCount: 1, attempts: [] });
  });
});
