// The tables against the types of Stripe's SDK: every status has a meaning, and every type that we send exists.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import Stripe from "stripe";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { StripeAccount } from "@/e2e/support/fake-stripe/book";
import { CANCELLED, type Intent, type Session } from "@/e2e/support/fake-stripe/objects";
import { FakeStripe } from "@/e2e/support/fake-stripe/server";
import { samplePayment } from "../testing/requests";
import { stripeConfig } from "./config";
import { createStripeGateway } from "./gateway";
import { INTENT_STATUSES, PAYMENT_ROWS, REFUND_STATUSES, SDK, SESSION_STATUSES } from "./tables";

/** The package does not export its package.json. */
const root = join(dirname(createRequire(import.meta.url).resolve("stripe")), "..");
const packageFile = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { readonly version: string };
const typesOf = (file: string) => readFileSync(join(root, "esm/resources", file), "utf8");

/** The texts of every union with this name in the file; the SDK's own enums cannot be read at run time. */
function unions(file: string, name: string): string[][] {
  const found = typesOf(file).matchAll(new RegExp(`type ${name} = ([^;]+);`, "g"));
  return [...found].map(([, union = ""]) => [...union.matchAll(/'([^']+)'/g)].map(([, text = ""]) => text));
}

describe("the SDK", () => {
  it("is the version that the tables were compared with", () => {
    expect(packageFile.version).toBe(SDK.version);
    expect(Stripe.API_VERSION).toBe(SDK.apiVersion);
  });

  it("names no status of a PaymentIntent without a meaning, and no other than the tables", () => {
    const [statuses = []] = unions("PaymentIntents.d.ts", "Status");
    expect(statuses).toContain("succeeded");
    expect(Object.keys(INTENT_STATUSES).toSorted()).toEqual(statuses.toSorted());
  });

  it("names no status of a refund without a meaning, and no other than the tables", () => {
    const [, sentence = ""] = /Status of the refund\. This can be ([^.]+)\./.exec(typesOf("Refunds.d.ts")) ?? [];
    const statuses = [...sentence.matchAll(/`([a-z_]+)`/g)].map(([, text = ""]) => text);
    expect(Object.keys(REFUND_STATUSES).toSorted()).toEqual(statuses.toSorted());
  });

  it("names no status of a Checkout Session without a meaning, and no other than the tables", () => {
    const statuses = unions("Checkout/Sessions.d.ts", "Status").find((texts) => texts.includes("open")) ?? [];
    expect(Object.keys(SESSION_STATUSES).toSorted()).toEqual(statuses.toSorted());
  });

  it.each(Object.entries(PAYMENT_ROWS))("lets a server create a payment of %s", (_code, { type, collection }) => {
    const file = collection.by === "page" ? "Checkout/Sessions.d.ts" : "PaymentIntents.d.ts";
    const types = collection.by === "page" ? unions(file, "AllowedPaymentMethodType") : unions(file, "Type");
    const sent = collection.by === "transfer" ? [type, collection.bankTransfer] : [type];
    expect(types.flat()).toEqual(expect.arrayContaining(sent));
  });
});

describe("a status", () => {
  const KEY = `sk_test_${"0".repeat(24)}`;
  const signal = new AbortController().signal;
  let fake: FakeStripe;
  let account: StripeAccount;

  beforeAll(async () => {
    fake = await FakeStripe.start();
  });
  afterAll(() => fake.stop());
  beforeEach(() => {
    account = fake.open(KEY, { id: "acct_1", livemode: false });
  });

  /** What a poll reports about a payment whose object has these members. */
  async function reported(method: string, changes: object, isAnswered = true): Promise<string[]> {
    const entry = { name: "stripe", type: "stripe", account: "acct_1", secret_key: KEY, environments: ["test"] };
    const more = { payment_methods: "all", webhook_secrets: ["whsec_0123456789abcdef"], url: fake.url };
    const gateway = createStripeGateway(stripeConfig.parse({ ...entry, ...more }));
    const times = { createdAt: new Date(), expiresAt: new Date(Date.now() + 1_800_000) };
    const request = samplePayment(10_500n, method, times);
    const created = await gateway.createPayment(request, signal);
    const [object] = method === "BR_PIX" ? account.intents : account.sessions;
    Object.assign(object ?? {}, changes);
    const providerReference = "providerReference" in created ? created.providerReference : null;
    const earlier = { providerReference, account: "acct_1" };
    const outcomes = await gateway.queryPayment({ ...request, isAnswered, earlier }, signal, new Date());
    return outcomes.map((one) => ("needsOperator" in one ? "operator" : one.kind));
  }

  it.each<[Intent["status"], string[]]>([
    ["requires_payment_method", []],
    ["requires_action", []],
    ["processing", ["pending"]],
    ["succeeded", ["succeeded"]],
    [CANCELLED, ["cancelled"]],
    ["requires_confirmation", ["operator"]],
    ["requires_capture", ["operator"]],
    ["brand_new", ["operator"]],
    ["__proto__", ["operator"]],
  ])("of a PaymentIntent that is %s: %j", async (status, expected) => {
    expect(await reported("BR_PIX", { status })).toEqual(expected);
  });

  it.each<[Session["status"] | "brand_new", string[]]>([
    ["open", []],
    ["complete", []],
    ["expired", ["expired"]],
    ["brand_new" as "open", ["operator"]],
    [null, ["operator"]],
  ])("of a Checkout Session without a PaymentIntent that is %s: %j", async (status, expected) => {
    expect(await reported("NL_IDEAL", { status })).toEqual(expected);
  });

  it("of a cancelled PaymentIntent that received money needs a person", async () => {
    expect(await reported("BR_PIX", { status: CANCELLED, amount_received: 1 })).toEqual(["operator"]);
  });

  it("that demands what Sluice cannot show needs a person", async () => {
    const next_action = { type: "use_stripe_sdk", use_stripe_sdk: {} };
    expect(await reported("BR_PIX", { status: "requires_action", next_action }, false)).toEqual(["operator"]);
  });
});
