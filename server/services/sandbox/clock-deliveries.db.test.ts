// Deliveries of a merchant whose test clock is moved: what waits comes nearer, what is being sent stays claimed.
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { query } from "@/server/db/client";
import { readWaitingWorkAcrossMerchants } from "@/server/db/waiting-work";
import { claimDueDeliveriesAcrossMerchants, giveBackDeliveries } from "@/server/db/webhooks/claims";
import type { WebhookEndpoint } from "@/server/domain/webhook-endpoint";
import { json, type LocalServer, startLocalServer } from "@/server/psp/testing/local-server";
import { requireInvariants } from "@/server/testing/invariants";
import { makeMerchant, type TestMerchant } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { createDeliveryWork, type DeliveryWork } from "../webhooks/deliver-due";
import { reapDeliveries } from "../webhooks/deliveries";
import { replayToEndpoint } from "../webhooks/replay";
import { resendDelivery } from "../webhooks/resend";
import { deliveryOf, makeEndpoint, makeEvent, workUntilAttempted } from "../webhooks/testing/deliveries";
import { advanceSandboxClock } from "./clock";

process.env.WEBHOOK_ALLOW_LOOPBACK = "true";

const HOUR = 3_600;
const LEASE_MS = 600_000;

let receiver: LocalServer;
let merchant: TestMerchant;
let endpoint: WebhookEndpoint;
let work: DeliveryWork;

beforeAll(async () => {
  receiver = await startLocalServer();
});
beforeEach(async () => {
  receiver.respond = json(500, {});
  merchant = await makeMerchant();
  ({ endpoint } = await makeEndpoint(merchant, `${receiver.url}/hook`));
  work = createDeliveryWork();
});
afterEach(async () => {
  await work.finish();
  await query("UPDATE webhook_endpoint SET deleted_at = now() WHERE deleted_at IS NULL");
  await reapDeliveries();
  await requireInvariants();
});
afterAll(() => receiver.stop());

const advance = (seconds: number) => advanceSandboxClock(merchant.context, seconds, withoutIdempotency());

const claim = () => claimDueDeliveriesAcrossMerchants({ perEndpoint: {}, newEndpoint: 4, total: 100 }, LEASE_MS);

/** The transaction that last wrote each delivery. */
const versions = () =>
  query("SELECT id, xmin::text FROM delivery WHERE merchant_id = $1 ORDER BY id", merchant.merchantId);

/** How long the first delivery has been due, in seconds; null if none is. */
async function overdueSeconds(): Promise<number | null> {
  const { overdue } = await readWaitingWorkAcrossMerchants();
  const due = overdue.find(({ work }) => work === "delivery");
  return due && due.count > 0 ? due.seconds : null;
}

it("a move rewrites no delivery, and what waited for its next attempt is sent", async () => {
  const eventId = await makeEvent(merchant);
  const { nextAttemptAt: before } = await workUntilAttempted(work, merchant, eventId, 1);
  const written = await versions();
  await advance(HOUR);
  expect(await versions()).toEqual(written);
  const { nextAttemptAt: after } = await deliveryOf(merchant, eventId);
  expect((before?.getTime() ?? 0) - (after?.getTime() ?? 0)).toBe(HOUR * 1000);
  receiver.respond = json(200, {});
  expect((await workUntilAttempted(work, merchant, eventId, 2)).state).toBe("delivered");
});

it("a move brings the times of the merchant's test endpoints nearer, and those of no other endpoint", async () => {
  const TIMES = ["held_until", "failing_since", "last_accepted_at", "previous_secret_until"];
  const { endpoint: live } = await makeEndpoint(
    { ...merchant, context: { ...merchant.context, scope: { ...merchant.scope, environment: "live" } } },
    "https://1.1.1.1/live",
  );
  const { endpoint: foreign } = await makeEndpoint(await makeMerchant(), `${receiver.url}/other`);
  const ids = [endpoint.id, live.id, foreign.id];
  await query(
    `UPDATE webhook_endpoint SET ${TIMES.map((name) => `${name} = now()`).join(", ")}, previous_secret_sealed = secret_sealed WHERE id = ANY ($1)`,
    ids,
  );
  const read = () =>
    query<{ id: string; times: number[] }>(
      `SELECT id, ARRAY[${TIMES.map((name) => `extract(epoch FROM ${name})::float8`).join(", ")}] AS times
       FROM webhook_endpoint WHERE id = ANY ($1) ORDER BY array_position($1, id)`,
      ids,
    );
  const before = await read();
  await advance(HOUR);
  const movedBy = (await read()).map(({ times }, at) =>
    times.map((time, of) => Math.round((before[at]?.times[of] ?? 0) - time)),
  );
  expect(movedBy).toEqual([Array(4).fill(HOUR), Array(4).fill(0), Array(4).fill(0)]);
});

it("after a move, a pause of the schedule takes as long as before", async () => {
  await advance(HOUR);
  const eventId = await makeEvent(merchant);
  const { nextAttemptAt, attempts } = await workUntilAttempted(work, merchant, eventId, 1);
  const pauseMs = (nextAttemptAt?.getTime() ?? 0) - (attempts[0]?.attemptedAt.getTime() ?? 0);
  expect(pauseMs).toBeGreaterThan(0);
  expect(pauseMs).toBeLessThan(HOUR * 1000);
  expect(await claim()).toEqual([]);
});

it("a move ends no claim", async () => {
  await makeEvent(merchant);
  const claimed = await claim();
  expect(claimed).toHaveLength(1);
  await advance(HOUR);
  expect(await claim()).toEqual([]);
  await giveBackDeliveries(claimed);
  expect(await claim()).toHaveLength(1);
});

it("a claim whose lease has ended is taken again, whatever the clock", async () => {
  await advance(HOUR);
  await makeEvent(merchant);
  expect(await claim()).toHaveLength(1);
  await query("UPDATE delivery SET due_at = now() - interval '1 second' WHERE merchant_id = $1", merchant.merchantId);
  expect(await claim()).toHaveLength(1);
});

it("a delivery that is due at once under a moved clock is not overdue by the move", async () => {
  await advance(HOUR);
  const eventId = await makeEvent(merchant);
  expect(await overdueSeconds()).toBeLessThan(HOUR / 2);
  await giveBackDeliveries(await claim());
  expect(await overdueSeconds()).toBeLessThan(HOUR / 2);
  await workUntilAttempted(work, merchant, eventId, 1);
  expect(await overdueSeconds()).toBeNull();
  const { id } = await deliveryOf(merchant, eventId);
  await resendDelivery(merchant.context, id, withoutIdempotency());
  expect(await overdueSeconds()).toBeLessThan(HOUR / 2);
  await query(
    "UPDATE delivery SET state = 'skipped', due_at = NULL, ended_at = now() WHERE merchant_id = $1",
    merchant.merchantId,
  );
  await replayToEndpoint(
    merchant.context,
    { id: endpoint.id, since: new Date(Date.now() - 1000 * HOUR) },
    withoutIdempotency(),
  );
  expect(await overdueSeconds()).toBeLessThan(HOUR / 2);
});
