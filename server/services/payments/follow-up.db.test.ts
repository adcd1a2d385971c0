// The worker's follow-up of payments: late answers, unknown outcomes, expiry.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { query } from "@/server/db/client";
import { newPaymentIntent, type PaymentIntent } from "@/server/domain/payment-intent";
import { findPaymentMethod } from "@/server/domain/payment-methods";
import { onlyProvider } from "@/server/domain/routing";
import { now } from "@/server/platform/clock";
import { newId } from "@/server/platform/ids";
import { countRows, requireInvariants } from "@/server/testing/invariants";
import { balanceOf, makeMerchant, OPENING, payment, type TestMerchant } from "@/server/testing/merchant";
import { workOnDueIntents } from "../due-intents";
import { withoutIdempotency } from "../idempotency/completion";
import { followUp } from "../intents/follow-up";
import { getIntent } from "../intents/read";
import { recordCreation } from "../intents/transition";
import { createPaymentIntent } from "./create";
import { PAYMENTS } from "./kind";

// The service uses the time set by these tests as the database's.
vi.mock("@/server/platform/clock", async (original) => ({ ...(await original<object>()), now: () => new Date() }));

const MINUTE = 60_000;

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

async function create(amount: string): Promise<PaymentIntent> {
  return (await createPaymentIntent(merchant.context, payment({ amount }), withoutIdempotency())).intent;
}

/** Returns the intent after the worker polls it `ms` later. */
async function lookAfter(intent: PaymentIntent, ms: number): Promise<PaymentIntent> {
  vi.setSystemTime(Date.now() + ms);
  await followUp(PAYMENTS, await getIntent(PAYMENTS, merchant.scope, intent.id), now);
  return getIntent(PAYMENTS, merchant.scope, intent.id);
}

/** Creates a payment of this age whose process died before recording the provider's answer. */
async function leaveUnanswered(amount: bigint, ageMs: number, provider = "sandbox"): Promise<string> {
  const method = findPaymentMethod("BR_PIX");
  if (!method) throw new RangeError("no BR_PIX");
  const id = newId("paymentIntent");
  const { scope, context } = merchant;
  const at = new Date(Date.now() - ageMs);
  const reference = { merchantReference: id, country: "BR", customer: null };
  const fields = {
    ...reference,
    id,
    scope,
    amount,
    method,
    routing: onlyProvider(provider),
    provider,
    checkoutMode: "direct" as const,
    description: null,
    returnUrl: null,
  };
  const attempt = { id: newId("attempt"), provider };
  await recordCreation(PAYMENTS, newPaymentIntent(fields, at, at), [], { context, attempt });
  return id;
}

const attempts = (id: string) =>
  query("SELECT ordinal, state, outcome FROM provider_attempt WHERE intent_id = $1 ORDER BY ordinal", id);

describe("a late answer", () => {
  it("(03) is polled, not sent again, and recorded on arrival", async () => {
    const intent = await create("1003");
    expect(intent.status).toBe("processing");
    expect((await lookAfter(intent, 1_000)).status).toBe("processing");
    const later = await lookAfter(intent, 5_000);
    expect(later).toMatchObject({ status: "requires_action", revision: 1 });
    expect(later.nextAction).not.toBeNull();
    expect(await attempts(intent.id)).toEqual([{ ordinal: 1, state: "answered", outcome: "requires_action" }]);
  });

  it("(04) that never arrives is polled", async () => {
    const intent = await create("1004");
    expect([intent.status, intent.nextAction]).toEqual(["processing", null]);
    expect((await lookAfter(intent, 1_000)).status).toBe("requires_action");
    expect(await attempts(intent.id)).toHaveLength(1);
  });
});

describe("the customer's time limit", () => {
  it("ends after 30 minutes for Pix: expired, with one event", async () => {
    const intent = await create("1050");
    expect((await lookAfter(intent, 29 * MINUTE)).status).toBe("requires_action");
    const ended = await lookAfter(intent, MINUTE);
    expect(ended).toMatchObject({ status: "expired", failure: { code: "expired" }, nextAction: null, dueAt: null });
    expect(await countRows("event", merchant.merchantId)).toBe(1);
    expect(await balanceOf(merchant)).toEqual([OPENING, 0n]);
  });

  it("ends only after a poll of the provider: a payment at the last moment succeeds", async () => {
    const id = await leaveUnanswered(1_002n, 31 * MINUTE);
    const due = await getIntent(PAYMENTS, merchant.scope, id);
    expect(due.expiresAt.getTime()).toBeLessThan(Date.now());
    await followUp(PAYMENTS, due, now);
    expect(await getIntent(PAYMENTS, merchant.scope, id)).toMatchObject({ status: "succeeded", revision: 1 });
    expect(await balanceOf(merchant)).toEqual([OPENING + 1_002n, 0n]);
  });

  it("(07) ends, and later money is in suspense, once", async () => {
    const intent = await create("1007");
    const ended = await lookAfter(intent, 31 * MINUTE);
    expect(ended.status).toBe("expired");
    await followUp(PAYMENTS, ended, now);
    const strays = await query(
      "SELECT reason FROM ledger_transaction WHERE merchant_id = $1 AND intent_id = $2",
      merchant.merchantId,
      intent.id,
    );
    expect(strays).toEqual([{ reason: "late_money" }]);
    expect(await balanceOf(merchant)).toEqual([OPENING, 0n]);
    expect(await countRows("event", merchant.merchantId)).toBe(1);
  });
});

describe("the worker", () => {
  /** Makes the merchant's payments due, and those of earlier tests not. */
  const makeDue = () =>
    query(
      `UPDATE payment_intent SET due_at = now() + CASE WHEN merchant_id = $1 THEN interval '-1 s' ELSE interval '1 day' END
       WHERE due_at IS NOT NULL`,
      merchant.merchantId,
    );

  it("takes each due payment once, with any number of workers", async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => create("1004")));
    await makeDue();
    const taken = await Promise.all(Array.from({ length: 8 }, () => workOnDueIntents("payment_intent", 10, 30_000)));
    const rest = await workOnDueIntents("payment_intent", 100, 30_000);
    expect(taken.reduce((sum, count) => sum + count, rest)).toBe(made.length);
    for (const { id } of made) {
      expect(await getIntent(PAYMENTS, merchant.scope, id)).toMatchObject({ status: "requires_action", revision: 1 });
    }
  });

  it("schedules nothing for a finished payment, and a later poll for an open one", async () => {
    const [ended, open] = [await create("1002"), await create("1050")];
    expect(ended.dueAt).toBeNull();
    const after = await lookAfter(open, 20_000);
    expect(after).toEqual({ ...open, dueAt: after.dueAt });
    expect(after.dueAt?.getTime()).toBeGreaterThan(Date.now());
  });

  it("continues with the others if one payment's provider is no longer configured", async () => {
    const [orphan, other] = [await leaveUnanswered(1050n, 0, "gone"), await create("1004")];
    await makeDue();
    expect(await workOnDueIntents("payment_intent", 10, 30_000)).toBe(2);
    expect((await getIntent(PAYMENTS, merchant.scope, other.id)).status).toBe("requires_action");
    expect(await getIntent(PAYMENTS, merchant.scope, orphan)).toMatchObject({ status: "processing", revision: 0 });
  });
});
