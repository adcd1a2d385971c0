// Payer data that a provider demands: asked for before anything is written, and not of a repeat.
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { configureGateways } from "@/server/psp/registry";
import { configureRoutes } from "@/server/psp/routes";
import { countRows, requireInvariants } from "@/server/testing/invariants";
import { makeLiveMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "./create";
import { listPaymentMethods } from "./methods";

const PAYSTACK = {
  name: "paystack",
  type: "paystack",
  account: "463433",
  secret_key: `sk_live_${"0".repeat(40)}`,
  url: "http://127.0.0.1:9",
  payment_methods: ["NG_USSD"],
};
const BRIDGE = { name: "acme", url: "http://127.0.0.1:9", secret: "s".repeat(32), payment_methods: ["NG_USSD"] };

let merchant: TestMerchant;
beforeEach(async () => {
  configureGateways(JSON.stringify([PAYSTACK, BRIDGE]));
  merchant = await makeLiveMerchant("NGN");
});
afterEach(requireInvariants);
afterAll(() => {
  configureGateways(null);
  configureRoutes(null);
});

const command = { currency: "NGN", country: "NG", paymentMethod: "NG_USSD" };
const create = (changes = {}) =>
  createPaymentIntent(merchant.context, payment({ ...command, ...changes }), withoutIdempotency());

describe("a method whose provider demands an e-mail address", () => {
  it.each([null, {}, { name: "Ada" }, { email: "" }])(
    "rejects the customer %j and writes nothing",
    async (customer) => {
      await expect(create({ customer })).rejects.toMatchObject({
        code: "validation_failed",
        message: "customer.email is required for NG_USSD",
      });
      expect(await countRows("payment_intent", merchant.merchantId)).toBe(0);
    },
  );

  it("answers a repeat without one with the original", async () => {
    const { intent } = await create({ customer: { email: "ada@example.com" }, merchantReference: "order-9" });
    const again = await create({ customer: null, merchantReference: "order-9" });
    expect(again).toMatchObject({ completion: "repeated", intent: { id: intent.id } });
  });

  it("is listed with what it requires, also where only failover reaches the provider", async () => {
    const required = async () => (await listPaymentMethods(merchant.scope)).map((one) => one.requiredCustomerFields);
    expect(await required()).toEqual([["email"]]);
    const providers = [{ name: "acme" }, { name: "paystack", weight: 0 }];
    configureRoutes(JSON.stringify([{ kind: "payment", environment: "live", providers }]));
    expect(await required()).toEqual([["email"]]);
    await expect(create()).rejects.toThrow("customer.email");
    configureRoutes(null);
  });

  it("demands nothing with a configured address, nor of merchants that the provider does not serve", async () => {
    configureGateways(JSON.stringify([{ ...PAYSTACK, payer_email: "payments@example.com" }]));
    expect((await create()).completion).toBe("created");
    const others = ["mer_01h455vb4pex5vsknk084sn02q"];
    configureGateways(JSON.stringify([{ ...PAYSTACK, merchants: others }, BRIDGE]));
    const { intent } = await create();
    expect(intent.provider).toBe("acme");
    configureGateways(JSON.stringify([{ ...PAYSTACK, merchants: others }]));
    await expect(create()).rejects.toThrow("payment_method is not offered");
  });
});
