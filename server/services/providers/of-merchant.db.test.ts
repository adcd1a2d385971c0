// Members see the state of providers as their own merchant's intents show it, and nothing of other merchants.
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { disconnect, query } from "@/server/db/client";
import { newId } from "@/server/platform/ids";
import { configureGateways } from "@/server/psp/registry";
import { configureRoutes } from "@/server/psp/routes";
import { makeLiveMerchant, makeMerchant, payment, payout, type TestMerchant } from "@/server/testing/merchant";
import { installScriptedProviders } from "@/server/testing/scripted-provider";
import { pauseDispatch, resumeDispatch } from "../dispatch/control";
import { forgetPauses } from "../dispatch/paused";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { createPayoutIntent } from "../payouts/create";
import { listProvidersOf } from "./of-merchant";

let merchant: TestMerchant;
let other: TestMerchant;

beforeEach(async () => {
  [merchant, other] = [await makeLiveMerchant("BRL"), await makeLiveMerchant("BRL")];
});
afterAll(async () => {
  configureGateways(null);
  configureRoutes(null);
  await disconnect();
});

const pay = async ({ context }: TestMerchant) =>
  (await createPaymentIntent(context, payment(), withoutIdempotency())).intent;
const shown = async ({ scope }: TestMerchant, name: string) =>
  (await listProvidersOf(scope)).find((provider) => provider.name === name);

describe("the providers of a merchant", () => {
  it("name what serves it, its open intents and the answers to its calls", async () => {
    installScriptedProviders("a", "b");
    await pay(merchant);
    await createPayoutIntent(merchant.context, payout(), withoutIdempotency());
    expect((await listProvidersOf(merchant.scope)).map(({ name }) => name)).toEqual(["a", "b"]);
    const a = await shown(merchant, "a");
    expect(a).toMatchObject({
      state: "working",
      payoutCurrencies: ["BRL"],
      offersTopups: false,
      pausedCurrencies: [],
      open: { payment: 1, payout: 1, topup: 0 },
      overdue: 0,
      calls: { count: 1, withoutAnswer: 0 },
    });
    expect(a?.paymentMethods).toContain("BR_PIX");
    expect(a?.paymentMethods).not.toContain("MX_SPEI");
    expect(a?.lastAnswerAt).not.toBeNull();
  });

  it("do not have a payout yet that awaits approval", async () => {
    configureGateways(null);
    const inTest = await makeMerchant();
    await createPayoutIntent(inTest.context, payout(), withoutIdempotency());
    expect(await listProvidersOf(inTest.scope)).toMatchObject([
      { name: "sandbox", state: "working", open: { payout: 0 }, offersTopups: true },
    ]);
  });

  it("show nothing of another merchant's calls and intents", async () => {
    const { a } = installScriptedProviders("a");
    a.answer = { kind: "unknown", detail: "no answer in time" };
    for (let n = 0; n < 4; n += 1) await pay(other);
    expect(await shown(other, "a")).toMatchObject({ state: "no_answers", calls: { count: 4, withoutAnswer: 4 } });
    expect(await shown(merchant, "a")).toMatchObject({
      state: "working",
      open: { payment: 0, payout: 0, topup: 0 },
      calls: { count: 0, withoutAnswer: 0 },
      lastAnswerAt: null,
    });
  });

  it("leave out a provider that serves other merchants only", async () => {
    const bridge = { url: "http://127.0.0.1:9", secret: "s".repeat(32), payment_methods: "all" };
    const theirs = { ...bridge, name: "theirs", merchants: [other.merchantId] };
    configureGateways(JSON.stringify([theirs, { ...bridge, name: "everyones" }]));
    expect((await listProvidersOf(merchant.scope)).map(({ name }) => name)).toEqual(["everyones"]);
    expect((await listProvidersOf(other.scope)).map(({ name }) => name)).toEqual(["theirs", "everyones"]);
  });

  it("say that work is late once a worker should have begun it a minute ago", async () => {
    installScriptedProviders("a");
    const { id } = await pay(merchant);
    await query("UPDATE payment_intent SET due_at = now() - interval '2 minutes' WHERE id = $1", id);
    expect(await shown(merchant, "a")).toMatchObject({ state: "late", overdue: 1 });
  });

  it("keep a removed provider while it has open intents", async () => {
    installScriptedProviders("a");
    await pay(merchant);
    configureGateways(null);
    expect(await listProvidersOf(merchant.scope)).toMatchObject([
      { name: "a", state: "not_configured", open: { payment: 1 }, paymentMethods: [] },
    ]);
    expect(await listProvidersOf(other.scope)).toEqual([]);
  });

  it("say that the operator pauses new work, but not another merchant's", async () => {
    const name = newId("request").replace("req_", "p").slice(0, 20);
    installScriptedProviders(name);
    const pause = { provider: name, merchantId: merchant.merchantId, currency: "BRL" };
    await pauseDispatch(pause, "Their bank is closed.");
    forgetPauses();
    expect(await shown(merchant, name)).toMatchObject({ state: "paused", pausedCurrencies: ["BRL"] });
    expect(await shown(other, name)).toMatchObject({ state: "working", pausedCurrencies: [] });
    await resumeDispatch(pause, "Open again.");
  });
});
