// Top-ups end to end: quote, payment, part payment, expiry, and the credit of each.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { query } from "@/server/db/client";
import type { TopupIntent } from "@/server/domain/topup-intent";
import { now } from "@/server/platform/clock";
import { newId } from "@/server/platform/ids";
import { countRows, requireInvariants } from "@/server/testing/invariants";
import { balanceOf, makeMerchant, OPENING, type TestMerchant } from "@/server/testing/merchant";
import { applyUpdate } from "../callbacks/apply-update";
import { withoutIdempotency } from "../idempotency/completion";
import { followUp } from "../intents/follow-up";
import { getIntent } from "../intents/read";
import { simulate } from "../sandbox/simulate";
import { createTopupIntent } from "./create";
import type { CreateTopup } from "./find-offer";
import { TOPUPS } from "./kind";

// The service uses the time set by these tests as the database's.
vi.mock("@/server/platform/clock", async (original) => ({ ...(await original<object>()), now: () => new Date() }));

let merchant: TestMerchant;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  merchant = await makeMerchant(["BRL", "JPY", "BTC"]);
});
afterEach(async () => {
  vi.useRealTimers();
  await requireInvariants();
});

function topup(amount: string, changes: Partial<CreateTopup> = {}, currency = "BRL", source = "USDT"): CreateTopup {
  return {
    destination: { amount, currency },
    source: { type: "provider_gateway", provider: null, currency: source, network: null },
    country: "BR",
    merchantReference: newId("request"),
    ...changes,
  };
}

const create = async (command: CreateTopup) =>
  (await createTopupIntent(merchant.context, command, withoutIdempotency())).intent;
const read = ({ id }: TopupIntent) => getIntent(TOPUPS, merchant.scope, id);

async function receive(intent: TopupIntent, amount: bigint, confirmed: boolean): Promise<TopupIntent> {
  const news = { kind: "funds_seen" as const, amount, confirmed, currency: "USDT", providerReference: "psp-1" };
  await applyUpdate(merchant.context, { kind: "topup_intent", intent: await read(intent) }, [news]);
  return read(intent);
}

async function suspense(): Promise<string | undefined> {
  const [row] = await query<{ balance: string }>(
    "SELECT balance::text FROM ledger_account WHERE merchant_id = $1 AND environment = 'test' AND kind = 'suspense' AND currency = 'BRL'",
    merchant.merchantId,
  );
  return row?.balance;
}

describe("a new top-up", () => {
  it("awaits payment of the quoted amount at an address, for fifteen minutes, and credits nothing yet", async () => {
    const intent = await create(topup("100000"));
    expect(intent).toMatchObject({
      status: "requires_payment",
      rate: "5.430000",
      spreadAmount: 500n,
      creditedAmount: 0n,
      nextAction: { amount: intent.sourceAmount.toString(), currency: "USDT", network: "tron" },
    });
    expect(intent.expiresAt.getTime() - intent.createdAt.getTime()).toBe(900_000);
    expect(await read(intent)).toEqual(intent);
    expect(await balanceOf(merchant)).toEqual([OPENING, 0n]);
  });

  it("without a merchant reference is never a repeat; with one it is, 50 times at once", async () => {
    const free = await Promise.all([1, 2, 3].map(() => create(topup("100000", { merchantReference: null }))));
    expect(new Set(free.map(({ id }) => id)).size).toBe(3);
    const command = topup("100000");
    const done = await Promise.all(
      Array.from({ length: 50 }, () => createTopupIntent(merchant.context, command, withoutIdempotency())),
    );
    expect(new Set(done.map(({ intent }) => intent.id)).size).toBe(1);
    expect(done.filter(({ completion }) => completion === "created")).toHaveLength(1);
    await expect(create({ ...command, destination: { amount: "1", currency: "BRL" } })).rejects.toMatchObject({
      code: "duplicate_merchant_reference",
      message: "merchant_reference was used with a different destination.amount.",
    });
  });

  it.each([
    ["another currency than the merchant's", topup("1", {}, "MXN"), "destination.currency is not enabled"],
    ["a source that is no token", topup("1", {}, "BRL", "USD"), "source.currency must be a token"],
    ["a network the token is not on", topup("1"), "source.network must be one of tron, ethereum, polygon"],
    ["a provider that does not exist", topup("1"), "source.provider is not a provider"],
    ["too many digits", topup("1".repeat(16)), "destination.amount has too many digits"],
    ["a sum whose price no column holds", topup("9".repeat(30), {}, "BTC", "ETH"), "destination.amount is too large"],
  ])("of %s is rejected and leaves no row", async (what, command, message) => {
    const source = {
      ...command.source,
      network: what.includes("network") ? "bitcoin" : null,
      provider: what.includes("provider") ? "acme" : null,
    };
    await expect(create({ ...command, source })).rejects.toMatchObject({
      code: "validation_failed",
      message: expect.stringContaining(message),
    });
    expect(await countRows("topup_intent", merchant.merchantId)).toBe(0);
  });
});

describe("payment", () => {
  it.each([
    ["succeeded", "succeeded", 100_000n],
    ["underpaid", "requires_payment", 0n],
    ["overpaid", "succeeded", 110_000n],
    ["declined", "failed", 0n],
    ["expired", "expired", 0n],
    ["funds_seen", "processing", 0n],
  ])("simulated as %s: %s, credited %s, without an event", async (outcome, status, credited) => {
    const intent = await create(topup("100000"));
    await simulate(merchant.context, intent.id, outcome);
    const after = await read(intent);
    expect([after.status, after.creditedAmount]).toEqual([status, credited - (credited % 100_000n ? 1n : 0n)]);
    expect((await balanceOf(merchant))[0]).toBe(OPENING + after.creditedAmount);
    expect(await countRows("event", merchant.merchantId)).toBe(0);
  });

  it("in two parts credits the whole, once", async () => {
    const intent = await create(topup("100000"));
    const part = await receive(intent, intent.sourceAmount / 2n, true);
    expect(part.nextAction?.amount).toBe((intent.sourceAmount - intent.sourceAmount / 2n).toString());
    await Promise.all([1, 2, 3, 4].map(() => receive(intent, intent.sourceAmount, true)));
    expect(await read(intent)).toMatchObject({ status: "succeeded", creditedAmount: 100_000n });
    expect(await balanceOf(merchant)).toEqual([OPENING + 100_000n, 0n]);
  });

  it("after a failure is in suspense in full", async () => {
    const intent = await create(topup("100000"));
    await receive(intent, intent.sourceAmount, false);
    await simulate(merchant.context, intent.id, "declined");
    await receive(intent, intent.sourceAmount, true);
    expect((await read(intent)).status).toBe("failed");
    expect(await suspense()).toBe("100400");
  });
});

describe("funds after a success", () => {
  it("and after the quote, reported as growing totals, book their excess over the credit to suspense once", async () => {
    const intent = await create(topup("100000"));
    await receive(intent, intent.sourceAmount, true);
    vi.setSystemTime(Date.now() + 16 * 60_000);
    for (const percent of [150n, 150n, 170n]) {
      const total = (intent.sourceAmount * percent) / 100n;
      await Promise.all([1, 2, 3].map(() => receive(intent, total, true)));
    }
    const value = Number(await suspense());
    expect(value).toBeGreaterThanOrEqual(70_000);
    expect(value).toBeLessThanOrEqual(70_500);
    expect(await balanceOf(merchant)).toEqual([OPENING + 100_000n, 0n]);
  });
});

describe("the end of the quote", () => {
  async function runOut(intent: TopupIntent): Promise<TopupIntent> {
    vi.setSystemTime(Date.now() + 16 * 60_000);
    await followUp(TOPUPS, await read(intent), now);
    return read(intent);
  }

  it("credits a part payment, as paid", async () => {
    const intent = await create(topup("100000"));
    await receive(intent, intent.sourceAmount / 2n, true);
    expect(await runOut(intent)).toMatchObject({ status: "succeeded", creditedAmount: 49_999n });
  });

  it("expires a top-up without payment or with dust only, and leaves nothing due", async () => {
    const [unpaid, dusty] = [await create(topup("100000")), await create(topup("100000"))];
    await receive(dusty, 1n, true);
    for (const intent of [unpaid, dusty]) {
      expect(await runOut(intent)).toMatchObject({ status: "expired", creditedAmount: 0n, dueAt: null });
    }
    expect(await balanceOf(merchant)).toEqual([OPENING, 0n]);
  });

  it("(07) books later funds to suspense", async () => {
    const intent = await runOut(await create(topup("100007")));
    expect(intent.status).toBe("expired");
    expect(BigInt((await suspense()) ?? "0")).toBeGreaterThanOrEqual(100_007n);
    expect(await balanceOf(merchant)).toEqual([OPENING, 0n]);
  });
});
