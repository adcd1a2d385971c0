// Retries, pauses and rotated secrets of deliveries follow their test merchant's clock only.
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { json, type LocalServer, startLocalServer } from "@/server/psp/testing/local-server";
import { requireInvariants } from "@/server/testing/invariants";
import { makeMerchant, type TestMerchant } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { createDeliveryWork, type DeliveryWork } from "../webhooks/deliver-due";
import { getWebhookEndpoint, rotateWebhookSecret } from "../webhooks/endpoints";
import { deliveryOf, makeEndpoint, makeEvent, workUntil, workUntilAttempted } from "../webhooks/testing/deliveries";
import { advanceSandboxClock } from "./clock";

process.env.WEBHOOK_ALLOW_LOOPBACK = "true";

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

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
  receiver.respond = json(500, {});
  merchant = await makeMerchant();
});
afterEach(requireInvariants);

const advance = (seconds: number) => advanceSandboxClock(merchant.context, seconds, withoutIdempotency());
const signaturesOf = (path: string) =>
  receiver.received
    .filter((one) => one.path === path)
    .at(-1)
    ?.headers.get("webhook-signature");

it("advancing the clock to the next attempts makes them, but not another merchant's", async () => {
  await makeEndpoint(merchant, `${receiver.url}/own`);
  const other = await makeMerchant();
  await makeEndpoint(other, `${receiver.url}/other`);
  const [own, others] = [await makeEvent(merchant), await makeEvent(other)];
  await workUntilAttempted(work, other, others, 2);
  await workUntilAttempted(work, merchant, own, 2);
  const waiting = await deliveryOf(other, others);
  for (const [minutes, attempts] of [
    [10, 3],
    [60, 4],
    [3 * 60, 5],
  ] as const) {
    await advance(minutes * MINUTE);
    expect(await workUntilAttempted(work, merchant, own, attempts)).toMatchObject({ attemptCount: attempts });
  }
  expect(await deliveryOf(other, others)).toEqual(waiting);
});

it("a rotated secret signs beside the new one until the clock has passed its day", async () => {
  const { endpoint } = await makeEndpoint(merchant, `${receiver.url}/rotated`);
  receiver.respond = json(200, {});
  await rotateWebhookSecret(merchant.context, endpoint.id, withoutIdempotency());
  await workUntilAttempted(work, merchant, await makeEvent(merchant), 1);
  expect(signaturesOf("/rotated")?.split(" ")).toHaveLength(2);
  await advance(DAY + MINUTE);
  await workUntilAttempted(work, merchant, await makeEvent(merchant), 1);
  expect(signaturesOf("/rotated")?.split(" ")).toHaveLength(1);
});

it("an endpoint shows since when it accepts nothing, when it last did, and the warnings at 1, 24 and 96 hours", async () => {
  const { endpoint } = await makeEndpoint(merchant, `${receiver.url}/failing`);
  const now = () => getWebhookEndpoint(merchant.scope, endpoint.id);
  expect(await now()).toMatchObject({ failingSince: null, lastAcceptedAt: null });
  receiver.respond = json(200, {});
  await workUntilAttempted(work, merchant, await makeEvent(merchant), 1);
  expect((await now()).lastAcceptedAt).not.toBeNull();
  receiver.respond = json(500, {});
  const failing = await makeEvent(merchant);
  await workUntilAttempted(work, merchant, failing, 1);
  const wellFor = async () => {
    const { failingSince, lastAcceptedAt } = await now();
    return (failingSince?.getTime() ?? Number.NaN) - (lastAcceptedAt?.getTime() ?? Number.NaN);
  };
  const before = await wellFor();
  expect(before).toBeGreaterThanOrEqual(0);
  const verdicts = [[0, "enabled"]];
  for (const hours of [2, 24, 72, 24]) {
    await advance(hours * 60 * MINUTE);
    const { attemptCount } = await deliveryOf(merchant, failing);
    await workUntilAttempted(work, merchant, failing, attemptCount + 1);
    const last = verdicts.at(-1)?.join();
    await workUntil(work, async () => {
      const { warnedHours, state } = await now();
      if ([warnedHours, state].join() === last) return false;
      return verdicts.push([warnedHours, state]) > 0;
    });
  }
  expect(verdicts.slice(1)).toEqual([
    [1, "enabled"],
    [24, "enabled"],
    [96, "enabled"],
    [96, "disabled"],
  ]);
  expect(await wellFor()).toBe(before);
});
