// The worker's follow-up of payouts: announce, dispatch once, poll, lapse.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { query } from "@/server/db/client";
import type { PayoutIntent } from "@/server/domain/payout-intent";
import { now } from "@/server/platform/clock";
import { env } from "@/server/platform/env";
import { countRows, requireInvariants } from "@/server/testing/invariants";
import { approvedPayout, balanceOf, makeMerchant, OPENING, payout, type TestMerchant } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { followUp } from "../intents/follow-up";
import { getIntent } from "../intents/read";
import { createPayoutIntent } from "./create";
import { PAYOUTS } from "./kind";

// The service uses the time set by these tests as the database's.
vi.mock("@/server/platform/clock", async (original) => ({ ...(await original<object>()), now: () => new Date() }));

const DAY = 24 * 60 * 60_000;

let merchant: TestMerchant;
beforeEach(async () => {
  process.env.PROVIDER_DEADLINE_MS = "50";
  delete (globalThis as { sluiceEnv?: unknown }).sluiceEnv;
  vi.useFakeTimers({ toFake: ["Date"] });
  merchant = await makeMerchant();
});
afterEach(async () => {
  vi.useRealTimers();
  await requireInvariants();
});

async function look(intent: PayoutIntent, afterMs = 0): Promise<PayoutIntent> {
  vi.setSystemTime(Date.now() + afterMs);
  await followUp(PAYOUTS, await getIntent(PAYOUTS, merchant.scope, intent.id), now);
  return getIntent(PAYOUTS, merchant.scope, intent.id);
}

const attempts = (id: string) =>
  query("SELECT ordinal, state, outcome FROM provider_attempt WHERE intent_id = $1 ORDER BY ordinal", id);

describe("dispatch", () => {
  it("sends an approved payout once, then polls until it is settled", async () => {
    const intent = await approvedPayout(merchant);
    expect((await look(intent)).status).toBe("processing");
    expect(await attempts(intent.id)).toEqual([{ ordinal: 1, state: "answered", outcome: "pending" }]);
    const settled = await look(intent, 3_000);
    expect(settled).toMatchObject({ status: "succeeded", failure: null, dueAt: null });
    expect(await attempts(intent.id)).toHaveLength(1);
    expect(await balanceOf(merchant)).toEqual([OPENING - 25_000n, 0n]);
    expect(await countRows("event", merchant.merchantId)).toBe(1);
  });

  it("is announced before the call: a crash in the call leaves a started attempt", async () => {
    const intent = await approvedPayout(merchant, { amount: "1004" });
    Object.assign(globalThis, { sluiceEnv: { ...env(), providerDeadlineMs: 60_000 } });
    const dying = followUp(PAYOUTS, intent, now);
    void dying;
    await vi.waitFor(async () => expect(await attempts(intent.id)).toHaveLength(1), { timeout: 30_000 });
    expect(await attempts(intent.id)).toEqual([{ ordinal: 1, state: "started", outcome: null }]);
    // Another worker finds the announced attempt: it polls instead of sending again.
    expect((await look(intent, 3_000)).status).toBe("succeeded");
    expect(await attempts(intent.id)).toHaveLength(1);
  });

  it("by eight workers at once is announced once", async () => {
    const intent = await approvedPayout(merchant);
    await Promise.all(Array.from({ length: 8 }, () => followUp(PAYOUTS, intent, now)));
    expect(await attempts(intent.id)).toHaveLength(1);
  });

  it("does not happen for a payout that changed since it was claimed", async () => {
    const { intent } = await createPayoutIntent(merchant.context, payout(), withoutIdempotency());
    await followUp(PAYOUTS, { ...intent, status: "processing", revision: 9 }, now);
    expect(await attempts(intent.id)).toEqual([]);
  });
});

describe("the provider's decision", () => {
  it.each([
    ["1001", "failed", "provider_declined"],
    ["1002", "succeeded", null],
    ["1005", "failed", "provider_declined"],
  ])("%s: %s with failure %s, the hold resolved", async (amount, status, failure) => {
    const intent = await look(await approvedPayout(merchant, { amount }));
    expect([intent.status, intent.failure?.code ?? null]).toEqual([status, failure]);
    const spent = status === "succeeded" ? BigInt(amount) : 0n;
    expect(await balanceOf(merchant)).toEqual([OPENING - spent, 0n]);
    expect(await countRows("event", merchant.merchantId)).toBe(1);
  });

  it.each(["1003", "1004"])(
    "%s: a missing answer decides nothing; the hold stays until the outcome is known",
    async (amount) => {
      const intent = await look(await approvedPayout(merchant, { amount }));
      expect([intent.status, intent.failure]).toEqual(["processing", null]);
      expect(await attempts(intent.id)).toEqual([{ ordinal: 1, state: "unknown", outcome: "unknown" }]);
      expect(await balanceOf(merchant)).toEqual([OPENING - BigInt(amount), BigInt(amount)]);
      expect((await look(intent, 6_000)).status).toBe("succeeded");
      expect(await attempts(intent.id)).toHaveLength(1);
    },
  );
});

describe("at the gate", () => {
  it("a payout waits seven days, then lapses to cancelled and releases its funds", async () => {
    const { intent } = await createPayoutIntent(merchant.context, payout(), withoutIdempotency());
    expect(intent.dueAt?.getTime()).toBe(intent.createdAt.getTime() + 7 * DAY);
    const lapsed = await look(intent, 7 * DAY);
    expect(lapsed).toMatchObject({
      status: "cancelled",
      failure: { code: "cancelled", message: "Not approved within 7 days." },
    });
    expect(await balanceOf(merchant)).toEqual([OPENING, 0n]);
    expect(await countRows("event", merchant.merchantId)).toBe(1);
  });
});
