// What the operator sees of a provider: all merchants' work, and what the provider reports.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Account } from "@/e2e/support/fake-paystack/book";
import { FakePaystack } from "@/e2e/support/fake-paystack/server";
import { disconnect, query } from "@/server/db/client";
import { forgetBreakers } from "@/server/psp/breakers";
import { configureGateways } from "@/server/psp/registry";
import { makeLiveMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { receiveCallback } from "../callbacks/receive-callback";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { readProviderStatus } from "./status";

const KEY = `sk_live_${"0123456789".repeat(4)}`;
const METHOD = { country: "NG", currency: "NGN", paymentMethod: "NG_USSD", customer: { email: "ada@example.com" } };

let fake: FakePaystack;
let account: Account;
let name: string;
let entries = 0;

beforeAll(async () => {
  fake = await FakePaystack.start();
  account = fake.open(KEY, { integration: 463_433, domain: "live" });
  account.customers.push("earlier@example.com");
});
beforeEach(() => {
  entries += 1;
  name = `paystack-${entries}`;
  const members = { type: "paystack", account: "463433", secret_key: KEY, url: fake.url, payment_methods: "all" };
  configureGateways(JSON.stringify([{ name, ...members, deadline_ms: 20_000 }]));
  forgetBreakers();
  fake.clear();
});
afterAll(async () => {
  await fake.stop();
  configureGateways(null);
  await disconnect();
});

const pay = async ({ context }: TestMerchant) =>
  (await createPaymentIntent(context, payment({ ...METHOD, amount: "105000" }), withoutIdempotency())).intent;
const statusOf = async (provider: string) => (await readProviderStatus()).find((one) => one.name === provider);

it("the calls, open work and late work of all merchants are added up", async () => {
  const [one, other] = [await makeLiveMerchant("NGN"), await makeLiveMerchant("NGN")];
  await pay(one);
  fake.spoil(/transaction.initialize/, "error_after");
  const { id } = await pay(other);
  await query("UPDATE payment_intent SET due_at = now() - interval '2 minutes' WHERE id = $1", id);
  const status = await statusOf(name);
  expect(status).toMatchObject({
    isConfigured: true,
    account: "463433",
    environments: ["live"],
    calls: [{ environment: "live", count: 2, withoutAnswer: 1 }],
    open: [{ environment: "live", kind: "payment", count: 2, overdue: 1 }],
    lastCallbackAt: null,
  });
  expect(status?.calls[0]?.lastAnswerAt).not.toBeNull();
});

it("shows the balance as the provider reports it, and the newest callback; no balance if it does not answer", async () => {
  const merchant = await makeLiveMerchant("NGN");
  const { dispatchReference } = await pay(merchant);
  fake.pay(account, dispatchReference.replaceAll("_", "-"));
  const [event] = fake.outbox.splice(0);
  const { headers, body } = FakePaystack.webhook(event ?? { event: "", data: {} }, KEY);
  await receiveCallback(name, headers, body);
  const status = await statusOf(name);
  expect(status?.balances).toEqual([{ amount: BigInt(account.balance), currency: "NGN" }]);
  expect(status?.lastCallbackAt).not.toBeNull();
  fake.spoil(/balance/, "error_before");
  expect((await statusOf(name))?.balances).toBeNull();
});

it("a provider that was removed is shown while it has open work", async () => {
  await pay(await makeLiveMerchant("NGN"));
  configureGateways(null);
  expect(await statusOf(name)).toMatchObject({ isConfigured: false, open: [{ kind: "payment", count: 1 }] });
});
