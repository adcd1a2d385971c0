// Proves that a provider cannot take back its acceptance: nothing is sent again, failed, released or rerouted after it.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { query } from "@/server/db/client";
import type { PayoutIntent } from "@/server/domain/payout-intent";
import { now } from "@/server/platform/clock";
import { newId } from "@/server/platform/ids";
import { sandboxGateway } from "@/server/psp/sandbox/gateway";
import { acceptCallbacks, sendCallback } from "@/server/testing/callbacks";
import { ONE_REFERENCE_FOR_ALL, requireInvariantsExcept } from "@/server/testing/invariants";
import { approvedPayout, makeMerchant, payment, payout, type TestMerchant } from "@/server/testing/merchant";
import { installScriptedProviders, type ScriptedProvider } from "@/server/testing/scripted-provider";
import { loadTwice } from "@/server/testing/second-copy";
import { applyDueCallbacks } from "../callbacks/receive-callback";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { PAYMENTS } from "../payments/kind";
import { createPayoutIntent } from "../payouts/create";
import { PAYOUTS } from "../payouts/kind";
import { createTopupIntent } from "../topups/create";
import { TOPUPS } from "../topups/kind";
import { fundWallet } from "../wallets";
import { followUp } from "./follow-up";
import { getIntent } from "./read";

// The time these tests set is what the service takes for the database's.
vi.mock("@/server/platform/clock", async (original) => ({ ...(await original<object>()), now: () => new Date() }));

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NEVER = { kind: "never_accepted", detail: "unknown reference" } as const;
const UNKNOWN = { kind: "unknown", detail: "time-out" } as const;
const PENDING = { kind: "pending", providerReference: "psp-1" } as const;
const INSTRUCTIONS = {
  kind: "requires_action",
  nextAction: { type: "redirect_to_url", url: "https://a.example", expires_at: "2026-11-21T10:00:00.000Z" },
  providerReference: "psp-1",
} as const;

let made: TestMerchant;
let merchant: TestMerchant;
let provider: ScriptedProvider;
let other: ScriptedProvider;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  ({ scripted: provider, other } = installScriptedProviders("scripted", "other"));
  acceptCallbacks();
  made = await makeMerchant();
  const scope = { ...made.scope, environment: "live" as const };
  const byMember = () => ({ ...made.byMember(), scope });
  merchant = { ...made, scope, context: { ...made.context, scope }, byMember };
  await fundWallet(merchant.context, { currency: "BRL", amount: 1_000_000n });
});
afterEach(async () => {
  vi.useRealTimers();
  await requireInvariantsExcept(ONE_REFERENCE_FOR_ALL);
});

async function look(intent: PayoutIntent, afterMs = 1_000): Promise<PayoutIntent> {
  vi.setSystemTime(Date.now() + afterMs);
  await followUp(PAYOUTS, await getIntent(PAYOUTS, merchant.scope, intent.id), now);
  return getIntent(PAYOUTS, merchant.scope, intent.id);
}

async function receive(intent: { merchantId: string; id: string }, status: string): Promise<void> {
  await sendCallback(intent, { status });
  await applyDueCallbacks(1_000, 30_000);
}

async function contradictionsOf({ id }: { readonly id: string }): Promise<unknown[]> {
  return query("SELECT kind, detail->>'provider' AS provider FROM exception WHERE object_id = $1", id);
}

async function heldFor({ id }: { readonly id: string }): Promise<string | undefined> {
  const [row] = await query<{ held: string }>(
    `SELECT sum(e.amount)::text AS held FROM ledger_transaction t
     JOIN ledger_entry e ON e.merchant_id = t.merchant_id AND e.transaction_id = t.id
     WHERE t.intent_id = $1 AND e.kind = 'held'`,
    id,
  );
  return row?.held;
}

const CONTRADICTION = [{ kind: "contradiction", provider: "scripted" }];

/** The payout waits for a person: nothing further was sent, failed or released. */
async function requireUntouched(intent: PayoutIntent, sent: number): Promise<void> {
  const { status, failure, provider: current, amount } = await getIntent(PAYOUTS, merchant.scope, intent.id);
  expect({ status, failure, current }).toEqual({ status: "processing", failure: null, current: "scripted" });
  expect(provider.sent).toEqual(Array<string>(sent).fill(intent.id));
  expect(other.sent).toEqual([]);
  expect(await heldFor(intent)).toBe(amount.toString());
}

describe("a payout whose provider accepted it and then denies it", () => {
  it("is never sent again, failed or rerouted after an accepted call, however much time passes", async () => {
    const intent = await approvedPayout(merchant);
    await look(intent);
    provider.answer = NEVER;
    for (const afterMs of [1_000, MINUTE, 11 * MINUTE, 25 * HOUR]) {
      await look(intent, afterMs);
      await requireUntouched(intent, 1);
      expect(await contradictionsOf(intent)).toContainEqual(CONTRADICTION[0]);
    }
  });

  it("is not sent again after an accepting answer to a question", async () => {
    const intent = await approvedPayout(merchant);
    provider.answer = UNKNOWN;
    await look(intent);
    provider.answerToQuestion = PENDING;
    await look(intent);
    provider.answerToQuestion = NEVER;
    for (const afterMs of [1_000, 11 * MINUTE, 25 * HOUR]) await look(intent, afterMs);
    await requireUntouched(intent, 1);
    expect(await contradictionsOf(intent)).toContainEqual(CONTRADICTION[0]);
  });

  it("is not sent again when the acceptance came by callback alone", async () => {
    const intent = await approvedPayout(merchant);
    provider.answer = UNKNOWN;
    await look(intent);
    await receive(intent, "pending");
    provider.answerToQuestion = NEVER;
    for (const afterMs of [1_000, 11 * MINUTE]) await look(intent, afterMs);
    await requireUntouched(intent, 1);
    expect(await contradictionsOf(intent)).toEqual(CONTRADICTION);
  });

  it("keeps its hold when the fifth call was accepted and the calls before it timed out", async () => {
    const intent = await approvedPayout(merchant);
    provider.answer = UNKNOWN;
    await look(intent);
    provider.answerToQuestion = NEVER;
    for (let n = 2; n <= 4; n += 1) await look(intent);
    provider.answer = PENDING;
    await look(intent);
    for (const afterMs of [1_000, 11 * MINUTE, 25 * HOUR]) await look(intent, afterMs);
    await requireUntouched(intent, 5);
    expect(await contradictionsOf(intent)).toContainEqual(CONTRADICTION[0]);
  });

  it("stays as it is under two workers, each a process of its own", async () => {
    const copies = await loadTwice();
    const intents = await Promise.all(Array.from({ length: 5 }, () => approvedPayout(merchant)));
    for (const intent of intents) await look(intent);
    provider.answer = NEVER;
    for (let round = 0; round < 4; round += 1) {
      vi.setSystemTime(Date.now() + 6 * MINUTE);
      await query(
        "UPDATE payout_intent SET due_at = now() - interval '1 second' WHERE merchant_id = $1",
        merchant.merchantId,
      );
      await Promise.all(copies.map((copy) => copy.workOnDueIntents("payout_intent", 50, 0)));
    }
    expect(provider.sent.toSorted()).toEqual(intents.map(({ id }) => id).toSorted());
    for (const intent of intents) {
      expect(await getIntent(PAYOUTS, merchant.scope, intent.id)).toMatchObject({
        status: "processing",
        failure: null,
      });
      expect(await contradictionsOf(intent)).toEqual(CONTRADICTION);
    }
  });

  it("still settles when the provider knows it again", async () => {
    const intent = await approvedPayout(merchant);
    await look(intent);
    provider.answer = NEVER;
    await look(intent);
    provider.answer = { kind: "settled", amount: intent.amount, currency: "BRL", providerReference: "psp-1" };
    expect((await look(intent)).status).toBe("succeeded");
  });
});

describe("a callback that reports acceptance", () => {
  it("keeps its evidence when the call it is about is answered later with a refusal", async () => {
    const intent = await approvedPayout(merchant);
    provider.answer = NEVER;
    provider.duringSend = () => receive(intent, "pending");
    await look(intent);
    await requireUntouched(intent, 1);
    await look(intent, 11 * MINUTE);
    await requireUntouched(intent, 1);
    expect(await contradictionsOf(intent)).toEqual(CONTRADICTION);
  });

  it("counts as a call where this database holds none, as after a restore: the provider is asked, not sent to", async () => {
    const intent = await approvedPayout(merchant);
    await receive(intent, "pending");
    provider.answer = NEVER;
    await look(intent);
    await requireUntouched(intent, 0);
    expect(await contradictionsOf(intent)).toEqual(CONTRADICTION);
  });

  it("opens a contradiction when the payout awaits approval, and is no call", async () => {
    const { intent } = await createPayoutIntent(merchant.context, payout(), withoutIdempotency());
    expect(intent.status).toBe("requires_approval");
    await receive(intent, "pending");
    expect(await query("SELECT 1 FROM provider_attempt WHERE intent_id = $1", intent.id)).toEqual([]);
    expect(await contradictionsOf(intent)).toEqual(CONTRADICTION);
  });

  it("opens a contradiction when it comes from a provider that the payout has left", async () => {
    const intent = await approvedPayout(merchant);
    provider.answer = NEVER;
    other.answer = UNKNOWN;
    expect((await look(intent)).provider).toBe("other");
    await receive(intent, "pending");
    expect(await contradictionsOf(intent)).toEqual(CONTRADICTION);
    other.answerToQuestion = NEVER;
    await look(intent, 11 * MINUTE);
    expect(other.sent).toEqual([intent.id]);
    expect(await getIntent(PAYOUTS, merchant.scope, intent.id)).toMatchObject({
      status: "processing",
      provider: "other",
    });
  });

  it("opens a contradiction when the payout has failed as accepted by no provider", async () => {
    const intent = await approvedPayout(merchant);
    [provider.answer, other.answer] = [NEVER, NEVER];
    expect(await look(intent)).toMatchObject({ status: "failed", failure: { code: "provider_unavailable" } });
    await receive(intent, "pending");
    expect(await contradictionsOf(intent)).toEqual(CONTRADICTION);
  });
});

describe("a payment whose provider accepted it and then denies it", () => {
  it.each([
    { accepted: INSTRUCTIONS, status: "requires_action", end: "expired" },
    // The payer has acted, so that the end of the payer's window does not end the payment.
    { accepted: PENDING, status: "processing", end: "processing" },
  ])(
    "after $accepted.kind goes to a person, is not sent again, and ends as $end",
    async ({ accepted, status, end }) => {
      provider.answer = accepted;
      const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
      const read = () => getIntent(PAYMENTS, merchant.scope, intent.id);
      provider.answer = NEVER;
      vi.setSystemTime(Date.now() + MINUTE);
      await followUp(PAYMENTS, await read(), now);
      expect(await read()).toMatchObject({ status, failure: null, provider: "scripted" });
      expect(await contradictionsOf(intent)).toEqual(CONTRADICTION);
      vi.setSystemTime(Date.now() + HOUR);
      await followUp(PAYMENTS, await read(), now);
      expect(await read()).toMatchObject({ status: end });
      expect([provider.sent, other.sent]).toEqual([[intent.id], []]);
    },
  );

  it("is not failed by its creation when a callback reported acceptance before the refusal came", async () => {
    provider.answer = NEVER;
    provider.duringSend = (id) => receive({ merchantId: merchant.merchantId, id }, "pending");
    const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
    expect(await getIntent(PAYMENTS, merchant.scope, intent.id)).toMatchObject({ status: "processing", failure: null });
    expect([provider.sent, other.sent]).toEqual([[intent.id], []]);
  });
});

describe("a top-up whose provider accepted it and then denies it", () => {
  it("goes to a person and expires at the end of its quote", async () => {
    const command = {
      destination: { amount: "100000", currency: "BRL" },
      source: { type: "provider_gateway", provider: null, currency: "USDT", network: null } as const,
      country: "BR",
      merchantReference: newId("request"),
    };
    const { intent } = await createTopupIntent(made.context, command, withoutIdempotency());
    const read = () => getIntent(TOPUPS, made.scope, intent.id);
    const create = vi.spyOn(sandboxGateway, "createTopup");
    vi.spyOn(sandboxGateway, "queryTopup").mockResolvedValue([NEVER]);
    vi.setSystemTime(Date.now() + MINUTE);
    await followUp(TOPUPS, await read(), now);
    expect(await read()).toMatchObject({ status: "requires_payment", failure: null });
    expect(await contradictionsOf(intent)).toEqual([{ kind: "contradiction", provider: "sandbox" }]);
    vi.setSystemTime(Date.now() + HOUR);
    await followUp(TOPUPS, await read(), now);
    expect(await read()).toMatchObject({ status: "expired" });
    expect(create).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });
});
