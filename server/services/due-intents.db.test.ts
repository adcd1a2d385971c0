// A provider that does not answer does not delay other providers' intents, and failing intents wait longer.

import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { query } from "@/server/db/client";
import { paymentIntents } from "@/server/db/intents/stores";
import { env } from "@/server/platform/env";
import { ONE_REFERENCE_FOR_ALL, requireInvariantsExcept } from "@/server/testing/invariants";
import { approvedPayout, makeMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { installScriptedProviders } from "@/server/testing/scripted-provider";
import { loadTwice } from "@/server/testing/second-copy";
import { claimLeaseMs, finishDueIntents, workOnDueIntents } from "./due-intents";
import { listExceptionsAcrossMerchants } from "./exceptions/list";
import { withoutIdempotency } from "./idempotency/completion";
import { getIntent } from "./intents/read";
import { createPaymentIntent } from "./payments/create";
import { PAYOUTS } from "./payouts/kind";
import { fundWallet } from "./wallets";

const stalled = vi.hoisted(() => ({ ms: 0 }));

// The service uses the time set by these tests as the database's; tests can simulate a suspended process.
vi.mock("@/server/platform/clock", async (original) => ({
  ...(await original<object>()),
  now: () => new Date(Date.now() + stalled.ms),
}));

const LEASE_MS = 30_000;
const CALL_MS = 1_000;
const SHOWN = {
  kind: "requires_action",
  nextAction: { type: "redirect_to_url", url: "https://psp.example/1", expires_at: "2099-12-01T00:00:00.000Z" },
  providerReference: "psp-1",
} as const;

let merchant: TestMerchant;
beforeEach(async () => {
  await query("UPDATE payout_intent SET due_at = now() + interval '1 day' WHERE due_at IS NOT NULL");
  const made = await makeMerchant();
  const scope = { ...made.scope, environment: "live" as const };
  const byMember = () => ({ ...made.byMember(), scope });
  merchant = { ...made, scope, context: { ...made.context, scope }, byMember };
  await fundWallet(merchant.context, { currency: "BRL", amount: 10_000_000n });
});
afterEach(() => requireInvariantsExcept(ONE_REFERENCE_FOR_ALL));

const payouts = (count: number) => Promise.all(Array.from({ length: count }, () => approvedPayout(merchant)));

it("a hanging provider gets ten intents at a time and delays no round; another's are all processed meanwhile", async () => {
  Object.assign(globalThis, { sluiceEnv: { ...env(), providerDeadlineMs: 60_000 } });
  installScriptedProviders("dead");
  const stuck = await payouts(15);
  installScriptedProviders("alive");
  const fine = await payouts(25);
  const both = installScriptedProviders("alive", "dead");
  let letGo = () => {};
  const hanging = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  both.dead.duringSend = () => hanging;
  await vi.waitFor(
    async () => {
      await workOnDueIntents("payout_intent", 10, LEASE_MS, 50);
      expect(both.alive.sent).toHaveLength(fine.length);
    },
    { timeout: 40_000 },
  );
  expect(both.dead.sent).toHaveLength(10);
  letGo();
  await finishDueIntents();
  await workOnDueIntents("payout_intent", 50, LEASE_MS);
  expect(both.dead.sent.toSorted()).toEqual(stuck.map(({ id }) => id).toSorted());
});

it("a worker that was suspended after a claim makes no call: its claim may end during the call", async () => {
  const { slow } = installScriptedProviders("slow");
  const ids = (await payouts(10)).map(({ id }) => id);
  const round = workOnDueIntents("payout_intent", 10, LEASE_MS, 50);
  stalled.ms = 6_000;
  await round;
  await finishDueIntents();
  stalled.ms = 0;
  expect([slow.sent, slow.queries]).toEqual([[], []]);
  expect(await query("SELECT 1 FROM payout_intent WHERE due_at > now() AND id = ANY($1)", ids)).toHaveLength(10);
});

it("a claim outlasts all calls for one intent, each at its full deadline", () => {
  installScriptedProviders("a", "b", "c");
  for (const [providerDeadlineMs, leaseMs] of [
    [2_500, 30_000],
    [20_000, 6 * 20_000 + 15_000],
  ]) {
    Object.assign(globalThis, { sluiceEnv: { ...env(), providerDeadlineMs } });
    expect(claimLeaseMs()).toBe(leaseMs);
  }
});

it("a payout whose provider is gone opens an exception at once, and is retried with growing delays", async () => {
  const waits: number[] = [];
  const ids: string[] = [];
  for (const ageMs of [480_000, 2_400_000, 172_800_000]) {
    installScriptedProviders("gone");
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - ageMs });
    const [payout] = await payouts(1);
    vi.useRealTimers();
    installScriptedProviders("another");
    const id = payout?.id ?? "";
    ids.push(id);
    expect(await workOnDueIntents("payout_intent", 50, LEASE_MS)).toBe(1);
    const { dueAt } = await getIntent(PAYOUTS, merchant.scope, id);
    waits.push(Math.round(((dueAt?.getTime() ?? 0) - Date.now()) / 60_000));
  }
  expect(waits).toEqual([1, 5, 10]);
  const { exceptions } = await listExceptionsAcrossMerchants({ merchantId: merchant.merchantId, openOnly: true });
  expect(exceptions.map(({ objectId }) => objectId).sort()).toEqual(ids.sort());
  for (const { kind, detail } of exceptions)
    expect([kind, detail.why]).toEqual(["stuck", "Its provider, gone, is no longer configured."]);
});

it("a hanging provider is called by one worker at a time about each intent, and no claim waits for its turn", async () => {
  const workers = await loadTwice();
  const { slow } = installScriptedProviders("slow");
  const ids = (await payouts(50)).map(({ id }) => id);
  const underWay = new Set<string>();
  const overlapping: string[] = [];
  slow.duringSend = async (reference) => {
    if (underWay.has(reference)) overlapping.push(reference);
    underWay.add(reference);
    await pause(CALL_MS);
    underWay.delete(reference);
  };
  slow.duringAsk = async (reference) => {
    if (underWay.has(reference)) overlapping.push(reference);
  };
  await workers[0].workOnDueIntents("payout_intent", 50, 3 * CALL_MS, 50);
  expect(await query("SELECT 1 FROM payout_intent WHERE due_at > now() AND id = ANY($1)", ids)).toHaveLength(10);
  await vi.waitFor(
    async () => {
      await Promise.all(workers.map((worker) => worker.workOnDueIntents("payout_intent", 50, 3 * CALL_MS, 50)));
      expect(slow.sent.length).toBeGreaterThanOrEqual(ids.length);
    },
    { timeout: 40_000 },
  );
  await Promise.all(workers.map((worker) => worker.finishDueIntents()));
  expect(slow.sent.toSorted()).toEqual(ids.toSorted());
  expect(overlapping).toEqual([]);
});

it("a claim that waits too long for another session's row claims nothing, and does not fail", async () => {
  const { alive } = installScriptedProviders("alive");
  const [payout] = await payouts(1);
  const other = new Client({ connectionString: env().databaseUrl ?? "" });
  await other.connect();
  try {
    await other.query("BEGIN");
    await other.query("SELECT FROM payout_intent WHERE id = $1 FOR UPDATE", [payout?.id]);
    expect(await workOnDueIntents("payout_intent", 10, LEASE_MS)).toBe(0);
    await other.query("ROLLBACK");
    expect(await workOnDueIntents("payout_intent", 10, LEASE_MS)).toBe(1);
    expect(alive.sent).toEqual([payout?.id]);
  } finally {
    await other.end();
  }
});

it("any number of late polls about payers and what providers are at work on take turns", async () => {
  const { busy } = installScriptedProviders("busy");
  const created = async () => (await createPaymentIntent(merchant.context, payment(), withoutIdempotency())).intent;
  busy.answer = SHOWN;
  const waiting = await Promise.all(Array.from({ length: 60 }, created));
  busy.answer = { kind: "unknown", detail: "time-out" };
  const processing = await Promise.all(Array.from({ length: 7 }, created));
  expect([...waiting, ...processing].map(({ status }) => status)).toEqual([
    ...waiting.map(() => "requires_action"),
    ...processing.map(() => "processing"),
  ]);
  const isDue = (intents: readonly { id: string }[], since: string) =>
    query(
      "UPDATE payment_intent SET due_at = now() - $2::interval WHERE id = ANY($1)",
      intents.map(({ id }) => id),
      since,
    );
  await isDue(waiting, "1 hour");
  await isDue(processing, "1 second");
  const claim = async () => {
    const claims = await paymentIntents.claimDueAcrossMerchants(50, LEASE_MS, { perProvider: 10, left: {} });
    return claims.map(({ intent }) => intent.status).toSorted();
  };
  const statuses = (late: number, atWork: number) => [
    ...Array.from({ length: atWork }, () => "processing"),
    ...Array.from({ length: late }, () => "requires_action"),
  ];
  expect(await claim()).toEqual(statuses(5, 5));
  expect(await claim()).toEqual(statuses(8, 2));
  expect(await claim()).toEqual(statuses(10, 0));
});
