// Proves that reports of money about a payout at the gate hold it back, whichever provider of its route sends them.

import { afterEach, beforeEach, expect, it } from "vitest";
import { asOperator } from "@/server/cli/acting-as";
import type { PayoutIntent } from "@/server/domain/payout-intent";
import { now } from "@/server/platform/clock";
import { acceptCallbacks, sendCallback } from "@/server/testing/callbacks";
import { requireInvariants } from "@/server/testing/invariants";
import { balanceOf, makeMerchant, payout, type TestMerchant } from "@/server/testing/merchant";
import { installScriptedProviders, type ScriptedProvider } from "@/server/testing/scripted-provider";
import { applyUpdate } from "../callbacks/apply-update";
import { applyDueCallbacks } from "../callbacks/receive-callback";
import { resolveException } from "../exceptions/decide";
import { listExceptionsAcrossMerchants } from "../exceptions/list";
import { resolveEndedStuck } from "../exceptions/stuck";
import { withoutIdempotency } from "../idempotency/completion";
import { namedOperator } from "../merchants/operator";
import { approvePayoutIntent } from "../payouts/approve";
import { cancelPayoutIntent } from "../payouts/cancel";
import { createPayoutIntent } from "../payouts/create";
import { PAYOUTS } from "../payouts/kind";
import { confirmResolution } from "../resolutions/confirm";
import { proposeResolution } from "../resolutions/propose";
import { fundWallet } from "../wallets";
import { followUp } from "./follow-up";
import { getIntent } from "./read";

const AMOUNT = 25_000n;
const EVIDENCE = { providerReference: null, evidence: "Letter 4711." };

let merchant: TestMerchant;
let opening: bigint;
beforeEach(async () => {
  const made = await makeMerchant();
  const scope = { ...made.scope, environment: "live" as const };
  const byMember = () => ({ ...made.byMember(), scope });
  merchant = { ...made, scope, context: { ...made.context, scope }, byMember };
  await fundWallet(merchant.context, { currency: "BRL", amount: 1_000_000n });
  [opening] = await balanceOf(merchant);
});
afterEach(async () => {
  await requireInvariants();
});

/** A payout at the gate. Callbacks come from the provider `scripted`; the payout goes to the first of the route. */
async function gated(...route: ["scripted", "other"] | ["other", "scripted"]) {
  const providers: Record<string, ScriptedProvider> = installScriptedProviders(...route);
  acceptCallbacks();
  const { intent } = await createPayoutIntent(merchant.context, payout(), withoutIdempotency());
  expect(intent).toMatchObject({ status: "requires_approval", provider: route[0] });
  const sent = () => Object.values(providers).flatMap((provider) => provider.sent);
  return { intent, sent };
}

async function receive(intent: PayoutIntent, status: string, amount: bigint, reference: string): Promise<void> {
  const sum = { amount: amount.toString(), currency: "BRL" };
  // A reference of the provider names one intent.
  await sendCallback(intent, { status, ...sum, provider_reference: `${reference}-${intent.id}` });
  await applyDueCallbacks(1_000, 30_000);
}

const read = ({ id }: PayoutIntent) => getIntent(PAYOUTS, merchant.scope, id);

async function open() {
  return (await listExceptionsAcrossMerchants({ merchantId: merchant.merchantId, openOnly: true })).exceptions;
}

/** The sums of the open contradictions. */
const contradicted = async () =>
  (await open())
    .filter(({ kind }) => kind === "contradiction")
    .map(({ detail }) => detail.reported_amount)
    .sort();

async function propose(intent: PayoutIntent, outcome: "settled" | "failed"): Promise<string> {
  const proposal = { ...EVIDENCE, outcome, amount: null };
  const { id } = await proposeResolution(asOperator(intent, "Maria"), intent.id, proposal);
  return id;
}

it.each(["settled", "returned"])("another provider of the route reports it %s: it is not sent", async (status) => {
  const { intent, sent } = await gated("other", "scripted");
  await receive(intent, status, AMOUNT, "px");
  expect(await open()).toMatchObject([{ kind: "contradiction", detail: { provider: "scripted" } }]);
  await approvePayoutIntent(merchant.byMember(), { id: intent.id });
  await followUp(PAYOUTS, await read(intent), now);
  expect(sent()).toEqual([]);
  expect(await balanceOf(merchant)).toEqual([opening - AMOUNT, AMOUNT]);
});

it("another provider of the route reports it settled: a cancellation does not release its hold", async () => {
  const { intent } = await gated("other", "scripted");
  await receive(intent, "settled", AMOUNT, "px");
  await expect(
    cancelPayoutIntent(merchant.context, { id: intent.id, reason: null }, withoutIdempotency()),
  ).rejects.toBeDefined();
  expect((await read(intent)).status).toBe("requires_approval");
  expect(await balanceOf(merchant)).toEqual([opening - AMOUNT, AMOUNT]);
});

it("another provider of the route has accepted it: a refusal of its own provider does not release its hold", async () => {
  const { intent, sent } = await gated("other", "scripted");
  await sendCallback(intent, { status: "pending" });
  await applyDueCallbacks(1_000, 30_000);
  await approvePayoutIntent(merchant.byMember(), { id: intent.id });
  const subject = { kind: "payout_intent", intent: await read(intent) } as const;
  await applyUpdate(merchant.context, subject, [{ kind: "declined", message: null, providerReference: null }]);
  expect((await read(intent)).status).toBe("processing");
  expect(sent()).toEqual([]);
  expect(await balanceOf(merchant)).toEqual([opening - AMOUNT, AMOUNT]);
});

it("a second settlement, after a person has resolved the first one, holds it back", async () => {
  const { intent, sent } = await gated("scripted", "other");
  await receive(intent, "settled", 20_000n, "s1");
  const [first] = await open();
  await resolveException(merchant.byMember(), first?.id ?? "", "The provider was mistaken.");
  await receive(intent, "settled", AMOUNT, "s2");
  expect(await contradicted()).toEqual(["25000"]);
  await approvePayoutIntent(merchant.byMember(), { id: intent.id });
  await followUp(PAYOUTS, await read(intent), now);
  expect(sent()).toEqual([]);
});

it.each(["requires_approval", "processing"])(
  "a second settlement while it is %s, after a proposal to fail it, supersedes the proposal",
  async (status) => {
    const { intent } = await gated("scripted", "other");
    if (status === "processing") await approvePayoutIntent(merchant.byMember(), { id: intent.id });
    await receive(intent, "settled", 20_000n, "s1");
    const id = await propose(intent, "failed");
    await receive(intent, "settled", 20_000n, "s2");
    await expect(confirmResolution(id, namedOperator("Jan"))).rejects.toMatchObject({ code: "validation_failed" });
    expect((await read(intent)).status).toBe(status);
    expect(await contradicted()).toEqual(["20000", "20000"]);
    expect(await balanceOf(merchant)).toEqual([opening - AMOUNT, AMOUNT]);
  },
);

it("each return has an exception, which stays with a person when two people end the payout as settled", async () => {
  const { intent } = await gated("scripted", "other");
  await receive(intent, "settled", AMOUNT, "s1");
  await receive(intent, "returned", 5_000n, "r1");
  await receive(intent, "returned", 20_000n, "r2");
  await receive(intent, "returned", 20_000n, "r2");
  expect(await contradicted()).toEqual(["20000", "25000", "5000"]);
  await confirmResolution(await propose(intent, "settled"), namedOperator("Jan"));
  await resolveEndedStuck();
  expect((await read(intent)).status).toBe("succeeded");
  expect(await contradicted()).toEqual(["20000", "5000"]);
});
