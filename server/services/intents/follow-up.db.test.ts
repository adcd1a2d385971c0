// Sending at most once: announced before the call, asked when in doubt, sent again only when certain.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { query } from "@/server/db/client";
import type { PayoutIntent } from "@/server/domain/payout-intent";
import { now } from "@/server/platform/clock";
import { countRows, ONE_REFERENCE_FOR_ALL, requireInvariantsExcept } from "@/server/testing/invariants";
import { approvedPayout, makeMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { tamper } from "@/server/testing/owner";
import { installScriptedProvider, type ScriptedProvider } from "@/server/testing/scripted-provider";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { PAYMENTS } from "../payments/kind";
import { PAYOUTS } from "../payouts/kind";
import { fundWallet } from "../wallets";
import { followUp } from "./follow-up";
import { getIntent } from "./read";

// The time these tests set is what the service takes for the database's.
vi.mock("@/server/platform/clock", async (original) => ({ ...(await original<object>()), now: () => new Date() }));

const HOUR = 60 * 60_000;
const NEVER = { kind: "never_accepted", detail: "unknown reference" } as const;
const UNKNOWN = { kind: "unknown", detail: "time-out" } as const;
const SHOWN = {
  kind: "requires_action",
  nextAction: { type: "redirect_to_url", url: "https://psp.example/1", expires_at: "2026-12-01T00:00:00.000Z" },
  providerReference: "psp-1",
} as const;
const SETTLED = { kind: "settled", amount: 25_000n, currency: "BRL", providerReference: "psp-1" } as const;

let merchant: TestMerchant;
let provider: ScriptedProvider;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  provider = installScriptedProvider();
  const made = await makeMerchant();
  const scope = { ...made.scope, environment: "live" as const };
  const byMember = () => ({ ...made.byMember(), scope });
  merchant = { ...made, scope, context: { ...made.context, scope }, byMember };
  await fundWallet(merchant.context, { currency: "BRL", amount: 1_000_000n });
});
afterEach(async () => {
  vi.useRealTimers();
  // One test forges a status past the gate.
  await requireInvariantsExcept(ONE_REFERENCE_FOR_ALL, "payout_past_the_gate_is_approved", "approvals_are_counted");
});

async function look(intent: PayoutIntent, afterMs = 1_000): Promise<PayoutIntent> {
  vi.setSystemTime(Date.now() + afterMs);
  await followUp(PAYOUTS, await getIntent(PAYOUTS, merchant.scope, intent.id), now);
  return getIntent(PAYOUTS, merchant.scope, intent.id);
}

describe("a payout", () => {
  it("is announced in the database before the provider sees a byte", async () => {
    const intent = await approvedPayout(merchant);
    const announced: unknown[] = [];
    provider.duringSend = async (reference) => {
      announced.push(...(await query("SELECT state FROM provider_attempt WHERE intent_id = $1", reference)));
    };
    await look(intent);
    expect(announced).toEqual([{ state: "started" }]);
  });

  it("that several workers take at once is sent once", async () => {
    const intents = await Promise.all(Array.from({ length: 10 }, () => approvedPayout(merchant)));
    // Every connection open, so that the workers run side by side and not one after the other.
    await Promise.all(Array.from({ length: 10 }, () => query("SELECT 1 AS one FROM pg_sleep(0.1)")));
    for (const intent of intents) await Promise.all(Array.from({ length: 8 }, () => followUp(PAYOUTS, intent, now)));
    expect(provider.sent).toEqual(intents.map(({ id }) => id));
  });

  it("whose outcome is unknown is asked about and never sent again, however long it takes", async () => {
    const intent = await approvedPayout(merchant);
    provider.answer = UNKNOWN;
    for (const afterMs of [1_000, 60_000, HOUR, 24 * HOUR, 240 * HOUR]) {
      expect((await look(intent, afterMs)).status).toBe("processing");
    }
    expect([provider.sent.length, provider.queries.length]).toEqual([1, 4]);
    provider.answer = SETTLED;
    expect((await look(intent)).status).toBe("succeeded");
  });

  it("that the provider surely never accepted is sent again under the same reference, five times in all", async () => {
    const intent = await approvedPayout(merchant);
    provider.answer = UNKNOWN;
    await look(intent);
    provider.answer = NEVER;
    provider.duringSend = async () => {
      provider.answer = UNKNOWN;
    };
    for (let n = 2; n <= 5; n += 1) {
      provider.answer = NEVER;
      expect((await look(intent)).status).toBe("processing");
      expect(provider.sent).toEqual(Array<string>(n).fill(intent.id));
    }
    provider.answer = NEVER;
    expect(await look(intent), "a call may still be on its way").toMatchObject({ status: "processing" });
    expect(await look(intent, 10 * 60_000)).toMatchObject({
      status: "failed",
      failure: { code: "provider_unavailable" },
    });
    expect(provider.sent).toHaveLength(5);
  });

  it("that waited days for its approval has its provider's whole memory before it", async () => {
    const intent = await approvedPayout(merchant);
    provider.answer = UNKNOWN;
    await look(intent, 72 * HOUR);
    provider.answer = NEVER;
    await look(intent);
    expect(provider.sent).toHaveLength(2);
  });

  it("whose account cannot be opened waits for its key: nothing is announced, nothing given up", async () => {
    const intent = await approvedPayout(merchant);
    await query("UPDATE payout_intent SET account_sealed = 'gone.AAAA' WHERE id = $1", intent.id);
    await expect(look(intent)).rejects.toThrow("no account-encryption key gone in the ring");
    expect(provider.sent).toEqual([]);
    expect(await countRows("provider_attempt", merchant.merchantId)).toBe(0);
    expect((await getIntent(PAYOUTS, merchant.scope, intent.id)).status).toBe("processing");
  });

  it("without an approval of somebody else is not sent, whatever its status says", async () => {
    const intent = await approvedPayout(merchant);
    await tamper("approval", "DELETE FROM approval WHERE merchant_id = $1", merchant.merchantId);
    await look(intent);
    expect(provider.sent).toEqual([]);
  });

  it("that the provider may have forgotten by now is neither sent again nor given up", async () => {
    const intent = await approvedPayout(merchant);
    provider.answer = UNKNOWN;
    await look(intent);
    provider.answer = NEVER;
    expect(await look(intent, 24 * HOUR)).toMatchObject({ status: "processing", failure: null });
    expect(provider.sent).toHaveLength(1);
  });

  it("that was sent again is not sent a third time once the provider may have forgotten the first call", async () => {
    const intent = await approvedPayout(merchant);
    provider.answer = UNKNOWN;
    await look(intent);
    provider.answer = NEVER;
    provider.duringSend = async () => {
      provider.answer = UNKNOWN;
    };
    await look(intent, 22 * HOUR);
    expect(provider.sent).toHaveLength(2);
    provider.answer = NEVER;
    expect(await look(intent, 2 * HOUR)).toMatchObject({ status: "processing", failure: null });
    expect(provider.sent).toHaveLength(2);
  });
});

describe("a payment", () => {
  it("that the provider never accepted fails, since no money can have moved", async () => {
    provider.answer = UNKNOWN;
    const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
    expect(intent.status).toBe("processing");
    provider.answer = NEVER;
    vi.setSystemTime(Date.now() + 24 * HOUR);
    await followUp(PAYMENTS, intent, now);
    expect(await getIntent(PAYMENTS, merchant.scope, intent.id)).toMatchObject({
      status: "failed",
      failure: { code: "provider_unavailable" },
    });
    expect(provider.sent).toHaveLength(1);
  });

  it("does not expire while the provider cannot be reached, and does once it has answered", async () => {
    provider.answer = UNKNOWN;
    const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
    vi.setSystemTime(Date.now() + HOUR);
    await followUp(PAYMENTS, intent, now);
    expect((await getIntent(PAYMENTS, merchant.scope, intent.id)).status).toBe("processing");
    provider.answer = SHOWN;
    await followUp(PAYMENTS, intent, now);
    expect((await getIntent(PAYMENTS, merchant.scope, intent.id)).status).toBe("expired");
  });
});
