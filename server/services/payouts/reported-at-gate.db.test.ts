// Proves that only two people can end a payout that a provider reported while it awaited approval.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { asOperator } from "@/server/cli/acting-as";
import type { PayoutIntent } from "@/server/domain/payout-intent";
import { now } from "@/server/platform/clock";
import { acceptCallbacks, type CallbackBody, sendCallback } from "@/server/testing/callbacks";
import { requireInvariants } from "@/server/testing/invariants";
import { balanceOf, keyed, makeMerchant, once, payout, type TestMerchant } from "@/server/testing/merchant";
import { installScriptedProvider, type ScriptedProvider } from "@/server/testing/scripted-provider";
import { applyUpdate } from "../callbacks/apply-update";
import { applyDueCallbacks } from "../callbacks/receive-callback";
import { resolveException } from "../exceptions/decide";
import { listExceptionsAcrossMerchants } from "../exceptions/list";
import { resolveEndedStuck } from "../exceptions/stuck";
import { withoutIdempotency } from "../idempotency/completion";
import { followUp } from "../intents/follow-up";
import { getIntent } from "../intents/read";
import { namedOperator } from "../merchants/operator";
import { confirmResolution } from "../resolutions/confirm";
import { proposeResolution } from "../resolutions/propose";
import { fundWallet } from "../wallets";
import { cancelPayoutIntent } from "./cancel";
import { createPayoutIntent } from "./create";
import { PAYOUTS } from "./kind";

// The service uses the time set by these tests as the database's.
vi.mock("@/server/platform/clock", async (original) => ({ ...(await original<object>()), now: () => new Date() }));

const DAY = 24 * 60 * 60_000;
const AMOUNT = 25_000n;
const FAILED = { outcome: "failed", amount: null, providerReference: null, evidence: "Letter 4711." } as const;
const SETTLED = { ...FAILED, outcome: "settled" } as const;
const REFUSED = { code: "approval_required", message: expect.stringContaining("requires_approval") as string };
const SUM = { amount: AMOUNT.toString(), currency: "BRL" };
const REPORTS: CallbackBody[] = [{ status: "settled", ...SUM }, { status: "pending" }, { status: "returned", ...SUM }];

let merchant: TestMerchant;
let provider: ScriptedProvider;
let opening: bigint;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  provider = installScriptedProvider();
  acceptCallbacks();
  const made = await makeMerchant();
  const scope = { ...made.scope, environment: "live" as const };
  const byMember = () => ({ ...made.byMember(), scope });
  merchant = { ...made, scope, context: { ...made.context, scope }, byMember };
  await fundWallet(merchant.context, { currency: "BRL", amount: 1_000_000n });
  [opening] = await balanceOf(merchant);
});
afterEach(async () => {
  vi.useRealTimers();
  await requireInvariants();
});

const create = async () => (await createPayoutIntent(merchant.context, payout(), withoutIdempotency())).intent;

async function reported(news: CallbackBody): Promise<PayoutIntent> {
  const intent = await create();
  await receive(intent, news);
  expect(await openKinds()).toEqual(["contradiction"]);
  return intent;
}

async function receive(intent: PayoutIntent, news: CallbackBody): Promise<void> {
  await sendCallback(intent, news);
  await applyDueCallbacks(1_000, 30_000);
}

const read = ({ id }: PayoutIntent) => getIntent(PAYOUTS, merchant.scope, id);
const cancel = ({ id }: PayoutIntent) =>
  cancelPayoutIntent(merchant.context, { id, reason: null }, withoutIdempotency());

async function openExceptions() {
  return (await listExceptionsAcrossMerchants({ merchantId: merchant.merchantId, openOnly: true })).exceptions;
}
const openKinds = async () => (await openExceptions()).map(({ kind }) => kind).sort();

async function requireHeld(intent: PayoutIntent): Promise<void> {
  expect(await read(intent)).toMatchObject({ status: "requires_approval", revision: 0 });
  expect(await balanceOf(merchant)).toEqual([opening - AMOUNT, AMOUNT]);
}

async function propose(intent: PayoutIntent, finding: typeof FAILED | typeof SETTLED): Promise<string> {
  vi.setSystemTime(Date.now() + 1_000);
  return (await proposeResolution(asOperator(intent, "Maria"), intent.id, finding)).id;
}

describe.each(REPORTS)("a payout at the gate that was reported $status", (news) => {
  it("cannot be cancelled, and does not lapse", async () => {
    const intent = await reported(news);
    await expect(cancel(intent)).rejects.toMatchObject(REFUSED);
    const byMember = cancelPayoutIntent(merchant.byMember(), { id: intent.id, reason: "no" }, withoutIdempotency());
    await expect(byMember).rejects.toMatchObject(REFUSED);
    vi.setSystemTime(Date.now() + 8 * DAY);
    await followUp(PAYOUTS, await read(intent), now);
    await requireHeld(intent);
    expect(await openKinds()).toEqual(["contradiction", "stuck"]);
    expect((await read(intent)).dueAt?.getTime()).toBeGreaterThan(Date.now());
  });

  it("retains its hold after one person closed the exception", async () => {
    const intent = await reported(news);
    const [contradiction] = await openExceptions();
    await resolveException(merchant.byMember(), contradiction?.id ?? "", "The provider was mistaken.");
    await expect(cancel(intent)).rejects.toMatchObject(REFUSED);
    await requireHeld(intent);
  });

  it.each([
    { finding: FAILED, status: "failed", balance: 0n },
    { finding: SETTLED, status: "succeeded", balance: -AMOUNT },
  ])("is ended as $status by two people", async ({ finding, status, balance }) => {
    const intent = await reported(news);
    await confirmResolution(await propose(intent, finding), namedOperator("Jan"));
    expect((await read(intent)).status).toBe(status);
    expect(await balanceOf(merchant)).toEqual([opening + balance, 0n]);
    await resolveEndedStuck();
    // The books of a payout resolved as settled lack the returned money, so an exception stays open.
    const isOwedBack = news.status === "returned" && status === "succeeded";
    expect(await openKinds()).toEqual(isOwedBack ? ["contradiction"] : []);
    expect(provider.sent).toEqual([]);
  });
});

it("a retry of a rejected cancellation replays its answer", async () => {
  const intent = await reported({ status: "pending" });
  const cancelled = () =>
    once(keyed(merchant, "cancel"), (idempotency) =>
      cancelPayoutIntent(merchant.context, { id: intent.id, reason: null }, idempotency),
    );
  await expect(cancelled()).rejects.toMatchObject(REFUSED);
  const again = await cancelled();
  expect(again).toMatchObject({ status: 422, replayed: true });
  expect(again.body).toContain("approval_required");
});

it("a payout that no provider reported cannot be resolved by hand before its approval", async () => {
  const intent = await create();
  await expect(propose(intent, FAILED)).rejects.toMatchObject({ code: "validation_failed" });
});

it("a report of pending after a cancellation opens an exception", async () => {
  const intent = await create();
  await cancel(intent);
  await receive(intent, { status: "pending" });
  expect(await openKinds()).toEqual(["contradiction"]);
});

describe("a report at the gate, read before a cancellation", () => {
  const settled = { kind: "settled", amount: AMOUNT, currency: "BRL", providerReference: "px" } as const;
  const subject = (intent: PayoutIntent) => ({ kind: "payout_intent", intent }) as const;

  it("is decided again: the paid money is owed", async () => {
    const intent = await create();
    const stale = await read(intent);
    await cancel(intent);
    await applyUpdate(merchant.context, subject(stale), [settled]);
    expect(await openKinds()).toEqual(["late_money"]);
  });

  it("holds the payout, or is owed, whichever commits first", async () => {
    const intents = await Promise.all(Array.from({ length: 20 }, create));
    const cancelled = await Promise.all(
      intents.map(async (intent) => {
        const [, ended] = await Promise.all([
          applyUpdate(merchant.context, subject(intent), [settled]),
          cancel(intent).then(
            () => true,
            () => false,
          ),
        ]);
        return ended;
      }),
    );
    const about = new Map((await openExceptions()).map(({ objectId, kind }) => [objectId, kind]));
    for (const [n, { id }] of intents.entries()) {
      expect(about.get(id)).toBe(cancelled[n] ? "late_money" : "contradiction");
    }
  });
});
