// Each top-up policy on the database: final status, booked money and exceptions.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { query } from "@/server/db/client";
import { TOPUP_POLICIES } from "@/server/domain/topup-terms";
import { now } from "@/server/platform/clock";
import { requireInvariants } from "@/server/testing/invariants";
import { balanceOf, makeMerchant, OPENING, type TestMerchant } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { followUp } from "../intents/follow-up";
import { getIntent } from "../intents/read";
import { setTopupTerms } from "../merchants/topup-terms";
import { simulate } from "../sandbox/simulate";
import { createTopupIntent } from "./create";
import { TOPUPS } from "./kind";

const AS_IS = { overpayment: null, underpayment: null, latePayment: null, spreadBasisPoints: null, feeMode: null };
/** The provider's debt for an exact payment of 1,000.00 BRL: plus the spread of 5.00, less its fee of 0.1%. */
const EXACT = 100_400n;

// The service uses the time set by these tests as the database's.
vi.mock("@/server/platform/clock", async (original) => ({ ...(await original<object>()), now: () => new Date() }));

let merchant: TestMerchant;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  merchant = await makeMerchant();
});
afterEach(async () => {
  vi.useRealTimers();
  await requireInvariants();
});

async function make(amount: string) {
  const { intent } = await createTopupIntent(
    merchant.context,
    {
      destination: { amount, currency: "BRL" },
      source: { type: "provider_gateway", provider: null, currency: "USDT", network: null },
      country: "BR",
      merchantReference: null,
    },
    withoutIdempotency(),
  );
  return intent;
}

const tell = async (id: string, ...outcomes: string[]) => {
  for (const outcome of outcomes) await simulate(merchant.context, id, outcome);
  return getIntent(TOPUPS, merchant.scope, id);
};

async function runOut(id: string, ms = 16 * 60_000) {
  vi.setSystemTime(Date.now() + ms);
  await followUp(TOPUPS, await getIntent(TOPUPS, merchant.scope, id), now);
  return getIntent(TOPUPS, merchant.scope, id);
}

/** Returns the wallet's gain, the amount in suspense, and the open exceptions as kind and reason. */
async function where() {
  const [row] = await query<{ balance: string }>(
    "SELECT balance::text FROM ledger_account WHERE merchant_id = $1 AND environment = 'test' AND kind = 'suspense' AND currency = 'BRL'",
    merchant.merchantId,
  );
  const exceptions = await query<{ kind: string; detail: Record<string, string> }>(
    "SELECT kind, detail FROM exception WHERE merchant_id = $1 ORDER BY opened_at, id",
    merchant.merchantId,
  );
  const told = exceptions.map(({ kind, detail }) => [kind, detail.why, detail.policy].filter(Boolean).join(" "));
  return { gained: (await balanceOf(merchant))[0] - OPENING, suspense: BigInt(row?.balance ?? "0"), told };
}

describe("paid too much (09)", () => {
  it("credit_actual credits all of it", async () => {
    const { id } = await make("100009");
    const done = await tell(id, "succeeded");
    expect(done).toMatchObject({ status: "succeeded", creditedAmount: 110_009n });
    expect(await where()).toEqual({ gained: 110_009n, suspense: 0n, told: [] });
  });

  it.each(["hold", "refund"])(
    "%s credits the requested amount, holds the rest in suspense and opens an exception",
    async (policy) => {
      await setTopupTerms(merchant.scope, { ...AS_IS, overpayment: policy });
      const { id } = await make("100009");
      expect(await tell(id, "succeeded")).toMatchObject({ status: "succeeded", creditedAmount: 100_009n });
      const { gained, suspense, told } = await where();
      expect([gained, told]).toEqual([100_009n, [`amount_mismatch overpaid ${policy}`]]);
      expect(suspense >= 10_040n && suspense <= 10_043n).toBe(true);
    },
  );
});

describe("paid too little until the quote expires (08)", () => {
  it("credit_actual credits the part", async () => {
    const { id } = await make("100008");
    expect(await tell(id, "succeeded")).toMatchObject({ status: "requires_payment" });
    expect(await runOut(id)).toMatchObject({ status: "succeeded", failure: null, creditedAmount: 50_004n });
    expect(await where()).toEqual({ gained: 50_004n, suspense: 0n, told: [] });
  });

  it.each(["hold", "refund"])(
    "%s fails as underpaid, books the part to suspense and opens an exception",
    async (policy) => {
      await setTopupTerms(merchant.scope, { ...AS_IS, underpayment: policy });
      const { id } = await make("100008");
      await tell(id, "succeeded");
      const failure = { code: "underpaid", message: "The top-up was paid in part only." };
      expect(await runOut(id)).toMatchObject({ status: "failed", failure, creditedAmount: 0n, dueAt: null });
      const { gained, suspense, told } = await where();
      expect([gained, told]).toEqual([0n, [`amount_mismatch underpaid ${policy}`]]);
      expect(suspense >= 50_200n && suspense <= 50_206n).toBe(true);
    },
  );
});

describe("paid too late (07)", () => {
  it("credit_actual credits it on the top-up's terms, without changing the row or opening an exception", async () => {
    await setTopupTerms(merchant.scope, { ...AS_IS, latePayment: "credit_actual" });
    const { id } = await make("100007");
    const expired = await runOut(id);
    expect(expired).toMatchObject({ status: "expired", creditedAmount: 0n });
    expect(await where()).toEqual({ gained: 100_007n, suspense: 0n, told: [] });
    await Promise.all([runOut(id, 0), runOut(id, 0)]);
    expect((await where()).gained).toBe(100_007n);
  });

  it.each(["hold", "refund"])("%s books it to suspense and opens an exception", async (policy) => {
    await setTopupTerms(merchant.scope, { ...AS_IS, latePayment: policy });
    const { id } = await make("100007");
    expect(await runOut(id)).toMatchObject({ status: "expired", creditedAmount: 0n });
    const { gained, suspense, told } = await where();
    expect([gained, told]).toEqual([0n, [`late_money ${policy}`]]);
    expect(suspense).toBeGreaterThanOrEqual(100_407n);
  });
});

it("under every combination of policy and fee mode the books agree with the stored fields", async () => {
  for (const [n, policy] of TOPUP_POLICIES.entries()) {
    const feeMode = ["absorbed", "added", "deducted"][n] ?? "added";
    const all = { overpayment: policy, underpayment: policy, latePayment: policy };
    await setTopupTerms(merchant.scope, { ...AS_IS, ...all, feeMode, spreadBasisPoints: String(n * 70) });
    await tell((await make("76543")).id, "overpaid");
    await tell((await make("76543")).id, "underpaid", "expired");
    await tell((await make("76507")).id, "expired");
    await tell((await make("76543")).id, "underpaid", "declined");
  }
  expect((await where()).gained).toBeGreaterThan(0n);
});

describe("a reorganized chain", () => {
  it("removes seen funds: the payer gets instructions again, and can pay", async () => {
    const { id, nextAction } = await make("100000");
    expect(await tell(id, "funds_seen")).toMatchObject({ status: "processing" });
    expect(await tell(id, "funds_dropped")).toMatchObject({
      status: "requires_payment",
      receivedAmount: 0n,
      nextAction,
    });
    expect(await where()).toEqual({ gained: 0n, suspense: 0n, told: [] });
    expect(await tell(id, "succeeded")).toMatchObject({ status: "succeeded", creditedAmount: 100_000n });
  });

  it("after the quote has expired: expired, without any credit", async () => {
    const { id } = await make("100000");
    await tell(id, "funds_seen");
    vi.setSystemTime(Date.now() + 16 * 60_000);
    expect(await tell(id, "funds_dropped")).toMatchObject({ status: "expired", creditedAmount: 0n });
  });

  it("after the credit debits their value from suspense once, and leaves wallet and row unchanged", async () => {
    const { id } = await make("100000");
    const done = await tell(id, "succeeded");
    await Promise.allSettled([1, 2, 3, 4].map(() => simulate(merchant.context, id, "funds_dropped")));
    expect(await getIntent(TOPUPS, merchant.scope, id)).toEqual(done);
    expect(await where()).toEqual({ gained: 100_000n, suspense: -EXACT, told: ["funds_dropped"] });
    await expect(simulate(merchant.context, id, "funds_dropped")).rejects.toMatchObject({ code: "validation_failed" });
  });
});
