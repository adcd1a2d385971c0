// Proves that a payout waits for people while a provider's report contradicts our record: it is not sent, moved or released.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { asOperator } from "@/server/cli/acting-as";
import type { PayoutIntent } from "@/server/domain/payout-intent";
import { now } from "@/server/platform/clock";
import { breakerOf } from "@/server/psp/breakers";
import { acceptCallbacks, sendCallback } from "@/server/testing/callbacks";
import { ONE_REFERENCE_FOR_ALL, requireInvariantsExcept } from "@/server/testing/invariants";
import { approvedPayout, balanceOf, makeMerchant, payout, type TestMerchant } from "@/server/testing/merchant";
import { installScriptedProviders, type ScriptedProvider } from "@/server/testing/scripted-provider";
import { applyDueCallbacks } from "../callbacks/receive-callback";
import { resolveException } from "../exceptions/decide";
import { listExceptionsAcrossMerchants } from "../exceptions/list";
import { resolveEndedStuck } from "../exceptions/stuck";
import { withoutIdempotency } from "../idempotency/completion";
import { namedOperator } from "../merchants/operator";
import { approvePayoutIntent } from "../payouts/approve";
import { createPayoutIntent } from "../payouts/create";
import { PAYOUTS } from "../payouts/kind";
import { confirmResolution } from "../resolutions/confirm";
import { proposeResolution } from "../resolutions/propose";
import { fundWallet } from "../wallets";
import { followUp } from "./follow-up";
import { getIntent } from "./read";

// The time these tests set is what the service takes for the database's.
vi.mock("@/server/platform/clock", async (original) => ({ ...(await original<object>()), now: () => new Date() }));

const MINUTE = 60_000;
const FUNDED = 1_000_000n;
const AMOUNT = 25_000n;
const NEVER = { kind: "never_accepted", detail: "unknown reference" } as const;
const UNKNOWN = { kind: "unknown", detail: "time-out" } as const;
const PENDING = { kind: "pending", providerReference: "psp-1" } as const;
const DECLINED = { kind: "declined", message: null, providerReference: null } as const;
const FAILED = { outcome: "failed", amount: null, providerReference: null, evidence: "Letter 4711." } as const;

let merchant: TestMerchant;
let provider: ScriptedProvider;
let other: ScriptedProvider;
let opening: bigint;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  ({ scripted: provider, other } = installScriptedProviders("scripted", "other"));
  acceptCallbacks();
  const made = await makeMerchant();
  const scope = { ...made.scope, environment: "live" as const };
  const byMember = () => ({ ...made.byMember(), scope });
  merchant = { ...made, scope, context: { ...made.context, scope }, byMember };
  await fundWallet(merchant.context, { currency: "BRL", amount: FUNDED });
  [opening] = await balanceOf(merchant);
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

async function receive(intent: PayoutIntent, news: { readonly status: string; readonly amount?: string }) {
  await sendCallback(intent, news.amount === undefined ? news : { ...news, currency: "BRL" });
  await applyDueCallbacks(1_000, 30_000);
}

const statusOf = async ({ id }: PayoutIntent) => (await getIntent(PAYOUTS, merchant.scope, id)).status;

async function openExceptions() {
  return (await listExceptionsAcrossMerchants({ merchantId: merchant.merchantId, openOnly: true })).exceptions;
}

const openKinds = async () => (await openExceptions()).map(({ kind }) => kind);

async function resolveContradiction(): Promise<void> {
  const [contradiction] = await openExceptions();
  await resolveException(merchant.byMember(), contradiction?.id ?? "", "The provider was mistaken.");
}

/** The payout is held, processing, at the provider it was created for. */
async function requireHeld(intent: PayoutIntent, at = "scripted"): Promise<void> {
  expect(await getIntent(PAYOUTS, merchant.scope, intent.id)).toMatchObject({ status: "processing", provider: at });
  expect(await balanceOf(merchant)).toEqual([opening - AMOUNT, AMOUNT]);
}

async function end(intent: PayoutIntent): Promise<void> {
  vi.setSystemTime(Date.now() + 11 * MINUTE);
  const { id } = await proposeResolution(asOperator(intent, "Maria"), intent.id, FAILED);
  await confirmResolution(id, namedOperator("Jan"));
  expect(await statusOf(intent)).toBe("failed");
  expect(await balanceOf(merchant)).toEqual([opening, 0n]);
  await resolveEndedStuck();
  expect(await openKinds()).not.toContain("contradiction");
}

describe("a payout that was reported settled while it awaited approval", () => {
  async function approvedAfterReport(): Promise<PayoutIntent> {
    const { intent } = await createPayoutIntent(merchant.context, payout(), withoutIdempotency());
    await receive(intent, { status: "settled", amount: AMOUNT.toString() });
    await approvePayoutIntent(merchant.byMember(), { id: intent.id });
    return intent;
  }

  it.each(["closed", "open"])("is not sent to anybody after its approval, its breaker being %s", async (breaker) => {
    const intent = await approvedAfterReport();
    if (breaker === "open") for (let n = 0; n < 5; n += 1) breakerOf("scripted", "payout BRL").fail(Date.now());
    for (const afterMs of [1_000, MINUTE, 11 * MINUTE]) await look(intent, afterMs);
    expect([provider.sent, other.sent]).toEqual([[], []]);
    await requireHeld(intent);
    await resolveEndedStuck();
    expect(await openKinds()).toEqual(["contradiction"]);
    await end(intent);
  });

  it("is sent once a person has resolved the contradiction", async () => {
    const intent = await approvedAfterReport();
    await resolveContradiction();
    await look(intent);
    expect([provider.sent, other.sent]).toEqual([[intent.id], []]);
  });

  it("keeps its contradiction when it succeeds, until a person has looked at it", async () => {
    const intent = await approvedAfterReport();
    await receive(intent, { status: "settled", amount: AMOUNT.toString() });
    expect(await statusOf(intent)).toBe("succeeded");
    await resolveEndedStuck();
    expect(await openKinds()).toEqual(["contradiction"]);
  });
});

describe("a payout that one provider refuses finally while another has accepted it", () => {
  async function acceptedByTheFormer(news: Parameters<typeof receive>[1]): Promise<PayoutIntent> {
    const intent = await approvedPayout(merchant);
    [provider.answer, other.answer] = [NEVER, UNKNOWN];
    expect((await look(intent)).provider).toBe("other");
    await receive(intent, news);
    other.answer = DECLINED;
    other.answerToQuestion = DECLINED;
    return intent;
  }

  it.each([
    { news: { status: "pending" }, opened: "contradiction" },
    { news: { status: "settled", amount: AMOUNT.toString() }, opened: "late_money" },
  ])("keeps its hold after $news.status until two people end it", async ({ news, opened }) => {
    const intent = await acceptedByTheFormer(news);
    for (const afterMs of [1_000, MINUTE, 11 * MINUTE]) await look(intent, afterMs);
    await requireHeld(intent, "other");
    expect(await openKinds()).toEqual([opened]);
    await end(intent);
  });

  it("is released where the other provider accepted nothing", async () => {
    const intent = await approvedPayout(merchant);
    [provider.answer, other.answer] = [NEVER, DECLINED];
    expect((await look(intent)).status).toBe("failed");
    expect(await balanceOf(merchant)).toEqual([opening, 0n]);
  });
});

it("a payout that was reported settled with another sum keeps its hold after one person closed the exception", async () => {
  const intent = await approvedPayout(merchant);
  await look(intent);
  await receive(intent, { status: "settled", amount: "20000" });
  await resolveContradiction();
  await receive(intent, { status: "declined" });
  expect(await statusOf(intent)).toBe("processing");
  await requireHeld(intent);
  await end(intent);
});

describe("a proposal to fail a payout", () => {
  const propose = async (intent: PayoutIntent) =>
    (await proposeResolution(asOperator(intent, "Maria"), intent.id, FAILED)).id;
  const OUTDATED = { code: "validation_failed", message: expect.stringContaining("propose it again") as string };

  it.each([
    { news: "sent and accepted", happen: (intent: PayoutIntent) => look(intent, MINUTE) },
    {
      news: "sent without an answer",
      happen: (intent: PayoutIntent) => {
        provider.answer = UNKNOWN;
        return look(intent, MINUTE);
      },
    },
  ])("that was made before it was $news is superseded", async ({ happen }) => {
    const intent = await approvedPayout(merchant);
    const id = await propose(intent);
    provider.answer = PENDING;
    await happen(intent);
    expect(provider.sent).toEqual([intent.id]);
    vi.setSystemTime(Date.now() + 11 * MINUTE);
    await expect(confirmResolution(id, namedOperator("Jan"))).rejects.toMatchObject(OUTDATED);
    await requireHeld(intent);
    await end(intent);
  });

  it.each([
    { status: "pending", after: UNKNOWN },
    { status: "settled", amount: "20000", after: PENDING },
  ])("that was made before it was reported $status is superseded", async ({ after, ...news }) => {
    const intent = await approvedPayout(merchant);
    provider.answer = after;
    await look(intent);
    vi.setSystemTime(Date.now() + 11 * MINUTE);
    const id = await propose(intent);
    vi.setSystemTime(Date.now() + MINUTE);
    await receive(intent, news);
    await expect(confirmResolution(id, namedOperator("Jan"))).rejects.toMatchObject(OUTDATED);
    await requireHeld(intent);
    await end(intent);
  });
});
