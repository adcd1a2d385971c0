// Proves that a crash while a callback of another provider is applied leaves evidence of its acceptance.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { now } from "@/server/platform/clock";
import { acceptCallbacks, sendCallback } from "@/server/testing/callbacks";
import { requireSoundness } from "@/server/testing/invariants";
import { balanceOf, makeLiveMerchant, payout, type TestMerchant } from "@/server/testing/merchant";
import { installScriptedProviders, type ScriptedProvider } from "@/server/testing/scripted-provider";
import { unsealed } from "../idempotency/sealing";
import type * as ApplyNews from "../intents/apply-update";
import { applyNews } from "../intents/apply-update";
import { createPayoutIntent } from "../payouts/create";
import { followUpPayout } from "../payouts/follow-up";
import { getPayoutIntent } from "../payouts/get";
import { applyDueCallbacks } from "./receive-callback";

vi.mock("../intents/apply-update", async (original) => {
  const actual = await original<typeof ApplyNews>();
  return { ...actual, applyNews: vi.fn<typeof actual.applyNews>(actual.applyNews) };
});

let merchant: TestMerchant;
let other: ScriptedProvider;
beforeEach(async () => {
  ({ other } = installScriptedProviders("other", "scripted"));
  acceptCallbacks();
  merchant = await makeLiveMerchant();
});
afterEach(async () => {
  await requireSoundness();
});

/** Receives a callback of `scripted`; the process ends after its news was applied, before anything else. */
async function crashAfterApplying(intent: { merchantId: string; id: string }, status: string): Promise<void> {
  const apply = vi.mocked(applyNews).getMockImplementation();
  vi.mocked(applyNews).mockImplementationOnce(async (...args) => {
    await apply?.(...args);
    throw new Error("the process ends here");
  });
  const sum = status === "settled" ? { amount: "25000", currency: "BRL" } : {};
  await sendCallback(intent, { status, ...sum, provider_reference: `px-${intent.id}` });
  await applyDueCallbacks(1_000, 30_000);
}

it.each(["settled", "pending"])("a payout that is %s at another provider is not sent", async (status) => {
  const intent = (await createPayoutIntent(merchant.context, payout(), unsealed())).intent;
  await crashAfterApplying(intent, status);
  await followUpPayout(await getPayoutIntent(merchant.scope, intent.id), now);
  expect(other.sent).toEqual([]);
});

it.each(["settled", "pending"])("a payout that is %s at another provider keeps its hold", async (status) => {
  const [, held] = await balanceOf(merchant);
  const intent = (await createPayoutIntent(merchant.context, payout(), unsealed())).intent;
  other.answer = { kind: "unknown", detail: "time-out" };
  await followUpPayout(intent, now);
  await crashAfterApplying(intent, status);
  const subject = { kind: "payout_intent", intent: await getPayoutIntent(merchant.scope, intent.id) } as const;
  await applyNews(merchant.context, subject, [{ kind: "declined", message: null, providerReference: null }]);
  expect((await getPayoutIntent(merchant.scope, intent.id)).status).toBe("processing");
  expect((await balanceOf(merchant))[1]).toBe((held ?? 0n) + 25_000n);
});
