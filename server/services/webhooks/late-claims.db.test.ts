// What a worker claimed and came to too late is soon another's, long before the claim itself ends.
import { afterAll, beforeAll, expect, it } from "vitest";
import { query } from "@/server/db/client";
import { json, type LocalServer, startLocalServer } from "@/server/psp/testing/local-server";
import { requireInvariants } from "@/server/testing/invariants";
import { makeMerchant, type TestMerchant } from "@/server/testing/merchant";
import { createDeliveryWork } from "./deliver-due";
import { makeEndpoint, makeEvent, workUntil, workUntilAttempted } from "./testing/deliveries";

process.env.WEBHOOK_ALLOW_LOOPBACK = "true";

const LEASE_MS = 3_600_000;

let receiver: LocalServer;
let merchant: TestMerchant;
beforeAll(async () => {
  receiver = await startLocalServer();
  receiver.respond = json(200, {});
  merchant = await makeMerchant();
  await makeEndpoint(merchant, `${receiver.url}/hooks`);
});
afterAll(async () => {
  await receiver.stop();
  await requireInvariants();
});

it("a delivery that could not be begun in time is due again at once, and sent once, by whoever is next", async () => {
  const eventId = await makeEvent(merchant);
  // With a deadline as long as the claim every beginning is too late.
  const tooLate = createDeliveryWork({ leaseMs: LEASE_MS, deadlineMs: LEASE_MS });
  const claims = async () => {
    const [row] = await query<{ claims: number }>("SELECT claims FROM delivery WHERE event_id = $1", eventId);
    return row?.claims ?? 0;
  };
  await workUntil(tooLate, async () => (await claims()) >= 2);
  await tooLate.finish();
  const [row] = await query(
    "SELECT state, attempts, in_flight, due_at <= now() AS is_due FROM delivery WHERE event_id = $1",
    eventId,
  );
  expect(row).toEqual({ state: "pending", attempts: 0, in_flight: false, is_due: true });
  expect(receiver.received).toEqual([]);

  const work = createDeliveryWork();
  expect(await workUntilAttempted(work, merchant, eventId, 1)).toMatchObject({ state: "delivered" });
  await work.finish();
  expect(receiver.received).toHaveLength(1);
});
