// Links to a provider's own dashboard: for the roles that see providers, and in no answer to the merchant or payer.
import { afterAll, beforeAll, expect, it } from "vitest";
import { FakeStripe } from "@/e2e/support/fake-stripe/server";
import { disconnect } from "@/server/db/client";
import type { Role } from "@/server/domain/permissions";
import { presentPaymentIntent } from "@/server/http/present/payment-intent";
import { newId } from "@/server/platform/ids";
import { configureGateways } from "@/server/psp/registry";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { getPayerView } from "@/server/services/payer/get-payer-view";
import { createPaymentIntent } from "@/server/services/payments/create";
import { makeLiveMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { createCaller } from "./router";

const inEnglish = () => Promise.resolve("en" as const);

const KEY = `sk_live_${"0123456789".repeat(3)}`;

let fake: FakeStripe;
let merchant: TestMerchant;

beforeAll(async () => {
  fake = await FakeStripe.start();
  fake.open(KEY, { id: "acct_1Ours", livemode: true });
  const entry = { name: "stripe", type: "stripe", account: "acct_1Ours", secret_key: KEY, url: fake.url };
  const more = { webhook_secrets: ["whsec_0123456789abcdef"], payment_methods: "all", deadline_ms: 20_000 };
  configureGateways(JSON.stringify([{ ...entry, ...more }]));
  merchant = await makeLiveMerchant("BRL");
});
afterAll(async () => {
  await fake.stop();
  configureGateways(null);
  await disconnect();
});

async function routingFor(role: Role, id: string) {
  const { merchantId } = merchant;
  const person = {
    id: newId("member"),
    email: "a@shop.example",
    merchantId,
    merchantName: "M",
    testRoles: null,
    name: null,
  };
  const session = { merchantId, sessionId: newId("session"), member: { ...person, roles: [role] }, mustEnrol: false };
  const caller = createCaller({ session, requestId: newId("request"), address: null, language: inEnglish });
  return (await caller.paymentIntents.get({ environment: "live", id })).history.routing;
}

it("the page of a payment has the reference for every role, and the link for those that see providers", async () => {
  const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
  const reference = expect.stringMatching(/^pi_/) as string;
  const page = expect.stringMatching(/^https:\/\/dashboard\.stripe\.com\/payments\/pi_/) as string;
  for (const role of ["owner", "admin", "finance", "developer"] as const) {
    expect(await routingFor(role, intent.id)).toMatchObject({ provider: "stripe", reference: { reference, page } });
  }
  expect(await routingFor("approver", intent.id)).toMatchObject({ reference: { reference, page: null } });
  const shown = [presentPaymentIntent(intent), await getPayerView(intent.id)];
  expect(JSON.stringify(shown, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value))).not.toMatch(
    /dashboard\.stripe\.com|pi_/,
  );
});
