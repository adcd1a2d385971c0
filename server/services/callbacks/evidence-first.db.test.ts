// Proves that a crash while a callback of another provider is applied leaves evidence of its acceptance.

import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { now } from "@/server/platform/clock";
import { acceptCallbacks, sendCallback } from "@/server/testing/callbacks";
import { requireInvariants } from "@/server/testing/invariants";
import { balanceOf, makeLiveMerchant, payout, type TestMerchant } from "@/server/testing/merchant";
import { installScriptedProviders, type ScriptedProvider } from "@/server/testing/scripted-provider";
import { withoutIdempotency } from "../idempotency/completion";
import { followUp } from "../intents/follow-up";
import { getIntent } from "../intents/read";
import { createPayoutIntent } from "../payouts/create";
import { PAYOUTS } from "../payouts/kind";
import type * as ApplyNews from "./apply-update";
import { applyUpdate } from "./apply-update";
import { applyDueCallbacks } from "./receive-callback";

vi.mock("./apply-update", async (original) => {
  const actual = await original<typeof ApplyNews>();
  return { ...actual, applyUpdate: vi.fn<typeof actual.applyUpdate>(actual.applyUpdate) };
});

let merchant: TestMerchant;
let other: ScriptedProvider;
beforeEach(async () => {
  ({ other } = installScriptedProviders("other", "scripted"));
  acceptCallbacks();
  merchant = await makeLiveMerchant();
});
afterEach(async () => {
  await requireInvariants();
});

/** Receives a callback of `scripted`; the process crashes directly after applying its report. */
async function crashAfterApplying(intent: { merchantId: string; id: string }, status: string): Promise<void> {
  const apply = vi.mocked(applyUpdate).getMockImplementation();
  vi.mocked(applyUpdate).mockImplementationOnce(async (...args) => {
    await apply?.(...args);
    throw new Error("the process ends here");
  });
  const sum = status === "settled" ? { amount: "25000", currency: "BRL" } : {};
  await sendCallback(intent, { status, ...sum, provider_reference: `px-${intent.id}` });
  await applyDueCallbacks(1_000, 30_000);
}

it.each(["settled", "pending"])("a payout that is %s at another provider is not sent", async (status) => {
  const intent = (await createPayoutIntent(merchant.context, payout(), withoutIdempotency())).intent;
  await crashAfterApplying(intent, status);
  await followUp(PAYOUTS, await getIntent(PAYOUTS, merchant.scope, intent.id), now);
  expect(other.sent).toEqual([]);
});

it.each(["settled", "pending"])("a payout that is %s at another provider retains its hold", async (status) => {
  const [, held] = await balanceOf(merchant);
  const intent = (await createPayoutIntent(merchant.context, payout(), withoutIdempotency())).intent;
  other.answer = { kind: "unknown", detail: "time-out" };
  await followUp(PAYOUTS, intent, now);
  await crashAfterApplying(intent, status);
  const subject = { kind: "payout_intent", intent: await getIntent(PAYOUTS, merchant.scope, intent.id) } as const;
  await applyUpdate(merchant.context, subject, [{ kind: "declined", message: null, providerReference: null }]);
  expect((await getIntent(PAYOUTS, merchant.scope, intent.id)).status).toBe("processing");
  expect((await balanceOf(merchant))[1]).toBe((held ?? 0n) + 25_000n);
});
