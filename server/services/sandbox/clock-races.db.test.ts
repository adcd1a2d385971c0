// Concurrent advances of one merchant's clock, through two processes' queues, while its worker works: each is answered.
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { sizeOf } from "@/e2e/support/tier";
import { query } from "@/server/db/client";
import { json, type LocalServer, startLocalServer } from "@/server/psp/testing/local-server";
import { requireInvariantsExcept } from "@/server/testing/invariants";
import { keyed, makeMerchant, type TestMerchant } from "@/server/testing/merchant";
import { claimLeaseMs, workOnDueIntents } from "../due-intents";
import { withoutIdempotency } from "../idempotency/completion";
import { type Answer, answerOnce, type IdempotencyLease } from "../idempotency/once";
import { createDeliveryWork, type DeliveryWork } from "../webhooks/deliver-due";
import { makeEndpoint, makeEvent } from "../webhooks/testing/deliveries";
import type * as clock from "./clock";

process.env.WEBHOOK_ALLOW_LOOPBACK = "true";
/** The test waits for no timer, but many calls take long on a busy machine. */
vi.setConfig({ testTimeout: 3_600_000 });

const ROUNDS = sizeOf({ representative: 12, deep: 200 });
const AT_ONCE = 16;
/** Calls under one key. */
const SHARING = [0, 2, 10];
const ENDPOINTS = 4;
const MINUTE = 60;
/** Between two rounds of the work beside the calls, in ms: on a slow machine it must leave them most of the time. */
const BREATH_MS = 20;

type Clock = typeof clock;

let receiver: LocalServer;
let merchant: TestMerchant;
let deliveries: DeliveryWork;
let processes: readonly Clock[];

beforeAll(async () => {
  const one = await import("./clock");
  vi.resetModules();
  processes = [one, await import("./clock")];
  receiver = await startLocalServer();
  receiver.respond = json(500, {});
  merchant = await makeMerchant();
  deliveries = createDeliveryWork();
  for (let n = 0; n < ENDPOINTS; n += 1) await makeEndpoint(merchant, `${receiver.url}/${n}`);
});
afterAll(async () => {
  await deliveries.finish();
  await receiver.stop();
});

const present = (time: clock.MerchantTime): Answer => ({ status: 200, body: JSON.stringify(time) });
const refuse = ({ message }: Error): Answer => ({ status: 409, body: message });

/** The n-th call: every other one has a key, and three of them share one. */
function advance(round: number, n: number) {
  const key = n % 2 === 0 ? keyed(merchant, `${round}-${SHARING.includes(n) ? "shared" : n}`) : null;
  const { advanceSandboxClock } = processes[n % 3 === 0 ? 0 : 1] as Clock;
  const execute = async (lease: IdempotencyLease) =>
    present((await advanceSandboxClock(merchant.context, MINUTE, { lease, present })).intent);
  return answerOnce(key, execute, refuse);
}

/** Repeats the rounds of a worker and a merchant until `isOver`; returns what failed. */
async function repeat(isOver: () => boolean): Promise<unknown[]> {
  const failures: unknown[] = [];
  const loop = async (round: () => Promise<unknown>) => {
    while (!isOver()) {
      await round().catch((error: unknown) => failures.push(error));
      await pause(BREATH_MS);
    }
  };
  const kinds = ["payment_intent", "payout_intent", "topup_intent"] as const;
  const due = kinds.map((kind) => loop(() => workOnDueIntents(kind, 50, claimLeaseMs(), 250)));
  await Promise.all([...due, loop(deliveries.round), loop(() => makeEvent(merchant))]);
  return failures;
}

it(`${ROUNDS} times ${AT_ONCE} advances at once all succeed, and each moves the clock once`, async () => {
  let isOver = false;
  const beside = repeat(() => isOver);
  let moved = 0;
  const failures: unknown[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const calls = Array.from({ length: AT_ONCE }, (_, n) => advance(round, n));
    for (const call of await Promise.allSettled(calls)) {
      if (call.status === "rejected") failures.push(call.reason);
      else if (!call.value.replayed) moved += 1;
    }
  }
  isOver = true;
  expect([...failures, ...(await beside)]).toEqual([]);
  const { offsetMs } = await (processes[0] as Clock).getSandboxClock(merchant.scope);
  const effects = ROUNDS * (AT_ONCE - SHARING.length + 1);
  expect([moved, offsetMs]).toEqual([effects, effects * MINUTE * 1000]);
  const [audited] = await query(
    `SELECT count(*)::int AS entries, count(DISTINCT after->'offset_ms')::int AS offsets
     FROM audit_entry WHERE merchant_id = $1 AND action = 'sandbox_clock.advance'`,
    merchant.merchantId,
  );
  expect(audited).toEqual({ entries: moved, offsets: moved });
  // Advancing makes deliveries overdue that no worker takes any more.
  await requireInvariantsExcept("no_endpoint_is_forgotten");
});

it("an endpoint is deleted while the clock waits for it: neither keeps the other from its deliveries", async () => {
  const own = await makeMerchant();
  const { endpoint } = await makeEndpoint(own, `${receiver.url}/deleted`);
  await makeEvent(own);
  const deletion = new Client({ connectionString: process.env.DATABASE_URL });
  await deletion.connect();
  try {
    // What a deletion does: the endpoint's lock, and then its deliveries.
    await deletion.query("BEGIN");
    await deletion.query("SET LOCAL lock_timeout = '500ms'");
    await deletion.query("SELECT FROM webhook_endpoint WHERE id = $1 FOR NO KEY UPDATE", [endpoint.id]);
    const advanced = (processes[0] as Clock).advanceSandboxClock(own.context, MINUTE, withoutIdempotency());
    const waiting = "SELECT FROM pg_locks WHERE NOT granted";
    await vi.waitUntil(async () => (await deletion.query(waiting)).rowCount === 1, 10_000);
    const skipped = "UPDATE delivery SET due_at = due_at WHERE endpoint_id = $1 AND state = 'pending'";
    expect((await deletion.query(skipped, [endpoint.id])).rowCount).toBe(1);
    await deletion.query("COMMIT");
    await advanced;
  } finally {
    await deletion.end();
  }
});

it("of advances at once that together pass 400 days, as many succeed as fit, and only the others are refused", async () => {
  const { context, scope } = await makeMerchant();
  const days = 30 * 24 * 60 * MINUTE;
  const { advanceSandboxClock, getSandboxClock } = processes[0] as Clock;
  const calls = Array.from({ length: AT_ONCE }, () => advanceSandboxClock(context, days, withoutIdempotency()));
  const outcomes = (await Promise.allSettled(calls)).map((call) =>
    call.status === "fulfilled" ? "moved" : (call.reason as { code: string }).code,
  );
  expect(outcomes.toSorted()).toEqual([...Array(13).fill("moved"), ...Array(3).fill("validation_failed")]);
  expect((await getSandboxClock(scope)).offsetMs).toBe(13 * days * 1000);
});
