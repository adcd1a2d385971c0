// The health of endpoints, as deliveries to a receiver leave it.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { query } from "@/server/db/client";
import { json, type LocalServer, startLocalServer } from "@/server/psp/testing/local-server";
import { makeMerchant, type TestMerchant } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { createDeliveryWork, type DeliveryWork } from "./deliver-due";
import { deleteWebhookEndpoint } from "./endpoints";
import { healthOfEndpoints, historyOfEndpoint } from "./health";
import { makeAllDue, makeEndpoint, makeEvent, workUntilAttempted } from "./testing/deliveries";
import { updateWebhookEndpoint } from "./update-endpoint";

process.env.WEBHOOK_ALLOW_LOOPBACK = "true";

let receiver: LocalServer;
let merchant: TestMerchant;
let work: DeliveryWork;

beforeAll(async () => {
  receiver = await startLocalServer();
  work = createDeliveryWork({ leaseMs: 200_000, deadlineMs: 90_000 });
});
afterAll(async () => {
  await work.finish();
  await receiver.stop();
});
beforeEach(async () => {
  merchant = await makeMerchant();
  receiver.respond = json(200, {});
});

const healthOf = async (id: string) => {
  const [health] = await healthOfEndpoints(merchant.scope, id);
  if (!health) throw new Error("the endpoint has no health");
  return health;
};

it("nothing sent is idle, without figures", async () => {
  const { endpoint } = await makeEndpoint(merchant, receiver.url);
  const nothing = { attempts: 0, accepted: 0, medianMs: null, slowMs: null, lastAttemptAt: null, waiting: 0 };
  expect(await healthOf(endpoint.id)).toMatchObject({
    condition: "idle",
    disabledFrom: null,
    activity: { ...nothing, nextAttemptAt: null },
  });
});

it("failures make it failing, with their answer, what waits and the next attempt; a success makes it unstable", async () => {
  const { endpoint } = await makeEndpoint(merchant, receiver.url);
  receiver.respond = json(500, {});
  const event = await makeEvent(merchant);
  await workUntilAttempted(work, merchant, event, 1);
  const failing = await healthOf(endpoint.id);
  expect(failing).toMatchObject({
    condition: "failing",
    activity: { attempts: 1, accepted: 0, lastStatus: 500, lastError: null, waiting: 1 },
  });
  const { failingSince } = failing.endpoint;
  expect(failing.disabledFrom?.getTime()).toBe((failingSince?.getTime() ?? 0) + 120 * 3_600_000);
  const [{ due } = { due: null }] = await query<{ due: Date | null }>(
    "SELECT due_at AS due FROM delivery WHERE merchant_id = $1",
    merchant.merchantId,
  );
  expect(failing.activity.nextAttemptAt).toEqual(due);

  receiver.respond = json(200, {});
  await makeAllDue(merchant);
  await workUntilAttempted(work, merchant, event, 2);
  const after = await healthOf(endpoint.id);
  expect(after).toMatchObject({
    condition: "unstable",
    disabledFrom: null,
    activity: { attempts: 2, accepted: 1, lastStatus: 200, waiting: 0, nextAttemptAt: null },
  });
  expect(after.activity.medianMs).toBeLessThanOrEqual(after.activity.slowMs ?? -1);
});

it("an answer that breaks off or never comes is no success and has no time of an answer", async () => {
  const { endpoint } = await makeEndpoint(merchant, "http://127.0.0.1:9/hooks");
  await workUntilAttempted(work, merchant, await makeEvent(merchant), 1);
  expect(await healthOf(endpoint.id)).toMatchObject({
    condition: "failing",
    activity: { attempts: 1, accepted: 0, medianMs: null, slowMs: null, lastStatus: null, lastError: "connection" },
  });
});

it("a paused endpoint has no next attempt, whatever waits", async () => {
  const { endpoint } = await makeEndpoint(merchant, receiver.url);
  const pause = { id: endpoint.id, state: "paused" } as const;
  await updateWebhookEndpoint(merchant.context, pause, withoutIdempotency());
  await makeEvent(merchant);
  const { condition, activity } = await healthOf(endpoint.id);
  expect([condition, activity.waiting, activity.nextAttemptAt]).toEqual(["paused", 1, null]);
});

it("a receiver's own pause moves the next attempt", async () => {
  const { endpoint } = await makeEndpoint(merchant, receiver.url);
  await makeEvent(merchant);
  const [{ held } = { held: null }] = await query<{ held: Date }>(
    `UPDATE webhook_endpoint SET held_until = now() + interval '1 hour' WHERE merchant_id = $1 AND id = $2
     RETURNING held_until AS held`,
    merchant.merchantId,
    endpoint.id,
  );
  expect((await healthOf(endpoint.id)).activity.nextAttemptAt).toEqual(held);
});

it("all endpoints of the scope, and none of another merchant, environment or that is deleted", async () => {
  const [{ endpoint: first }, { endpoint: second }, { endpoint: deleted }] = [
    await makeEndpoint(merchant, receiver.url),
    await makeEndpoint(merchant, receiver.url),
    await makeEndpoint(merchant, receiver.url),
  ];
  await deleteWebhookEndpoint(merchant.context, deleted.id, withoutIdempotency());
  const idsIn = async (scope = merchant.scope) =>
    (await healthOfEndpoints(scope)).map(({ endpoint }) => endpoint.id).sort();
  expect(await idsIn()).toEqual([first.id, second.id].sort());
  expect(await idsIn({ ...merchant.scope, environment: "live" })).toEqual([]);
  expect(await idsIn((await makeMerchant()).scope)).toEqual([]);
});

it("attempts older than a day do not count, but the newest is still shown", async () => {
  const { endpoint } = await makeEndpoint(merchant, receiver.url);
  await workUntilAttempted(work, merchant, await makeEvent(merchant), 1);
  await query(
    `INSERT INTO delivery_attempt (merchant_id, delivery_id, ordinal, status, duration_ms, request_headers,
                                   response_body, attempted_at, endpoint_id)
     SELECT merchant_id, delivery_id, 2, 503, 1, '{}', '', now() - interval '25 hours', endpoint_id
     FROM delivery_attempt WHERE merchant_id = $1`,
    merchant.merchantId,
  );
  expect((await healthOf(endpoint.id)).activity).toMatchObject({ attempts: 1, accepted: 1, lastStatus: 200 });
});

it("the history has every stretch of the last days with its attempts, and the rest of the figures only with answers", async () => {
  const { endpoint } = await makeEndpoint(merchant, receiver.url);
  const attempt = (ago: string, ordinal: number, status: number | null, error: string | null, ms: number) =>
    query(
      `INSERT INTO delivery_attempt (merchant_id, delivery_id, ordinal, status, error, duration_ms, request_headers,
                                     response_body, attempted_at, endpoint_id)
       SELECT merchant_id, id, $2, $3, $4, $5, '{}', '', date_bin('6 hours', now(), 'epoch') - $6::interval, endpoint_id
       FROM delivery WHERE merchant_id = $1 LIMIT 1`,
      merchant.merchantId,
      ordinal,
      status,
      error,
      ms,
      ago,
    );
  receiver.respond = json(500, {});
  await workUntilAttempted(work, merchant, await makeEvent(merchant), 1);
  await attempt("1 hour", 2, 200, null, 40);
  await attempt("2 hours", 3, 200, null, 60);
  await attempt("6 hours", 4, 503, null, 900);
  await attempt("6 hours 1 ms", 5, null, "timeout", 10_000);
  await attempt("7 days", 6, 200, null, 7);
  await attempt("7 days 1 ms", 7, 200, null, 8);
  const history = await historyOfEndpoint(merchant.scope, endpoint.id);
  expect(history).toHaveLength(29);
  expect(history.map(({ from }) => from.getTime() % (6 * 3_600_000))).toEqual(history.map(() => 0));
  const [now, before, earlier] = [...history].reverse();
  expect(now).toMatchObject({ attempts: 1, accepted: 0 });
  expect(before).toMatchObject({ attempts: 3, accepted: 2, medianMs: 60, slowMs: 900 });
  expect(earlier).toMatchObject({ attempts: 1, accepted: 0, medianMs: null, slowMs: null });
  expect(history[0]).toMatchObject({ attempts: 1, accepted: 1, medianMs: 7 });
  expect(history.slice(1, -3).every(({ attempts, medianMs }) => attempts === 0 && medianMs === null)).toBe(true);
  const other = await makeMerchant();
  await expect(historyOfEndpoint(other.scope, endpoint.id)).rejects.toMatchObject({ code: "not_found" });
});
