// The adapter's calls beside those of Stripe's official SDK against the same fake: equal methods, addresses and parameters.
import Stripe from "stripe";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { StripeAccount } from "@/e2e/support/fake-stripe/book";
import { parseForm } from "@/e2e/support/fake-stripe/form";
import { FakeStripe } from "@/e2e/support/fake-stripe/server";
import type { Call } from "@/e2e/support/hostile-provider/server";
import type { Gateway } from "../gateway";
import { samplePayment } from "../testing/requests";
import { createStripeBalances } from "./balances";
import { type StripeConfig, stripeConfig } from "./config";
import { createStripeGateway } from "./gateway";

const KEY = `sk_test_${"0".repeat(24)}`;
const REFERENCE = "dord_01h455vb4pex5vsknk084sn02q";
const MERCHANT = "mer_01h455vb4pex5vsknk084sn02q";
const signal = new AbortController().signal;
const createdAt = new Date();
const at = (minutes: number) => new Date(createdAt.getTime() + minutes * 60_000);
const seconds = (time: Date) => Math.floor(time.getTime() / 1_000);

let fake: FakeStripe;
let account: StripeAccount;
let config: StripeConfig;
let gateway: Gateway;
let sdk: Stripe;

beforeAll(async () => {
  fake = await FakeStripe.start();
  const { hostname: host, port } = new URL(fake.url);
  sdk = new Stripe(KEY, { host, port, protocol: "http", maxNetworkRetries: 0, telemetry: false });
  account = fake.open(KEY, { id: "acct_1", livemode: false });
  const entry = { name: "stripe", type: "stripe", account: "acct_1", secret_key: KEY, environments: ["test"] };
  const more = { payment_methods: "all", webhook_secrets: ["whsec_0123456789abcdef"], url: fake.url };
  config = stripeConfig.parse({ ...entry, ...more });
  gateway = createStripeGateway(config);
});
afterAll(() => fake.stop());

/** What Stripe distinguishes in a call; the order of parameters does not matter. */
function wireOf({ method, path, headers, text }: Call): object {
  const [address, params = ""] = path.split("?");
  return {
    method,
    address,
    query: parseForm(params),
    body: parseForm(text),
    contentType: method === "POST" ? headers["content-type"]?.split(";")[0] : null,
    authorization: headers.authorization,
    version: headers["stripe-version"],
    account: headers["stripe-account"],
  };
}

/** The wires of the calls that `work` makes. */
async function wires(work: () => Promise<unknown>): Promise<object[]> {
  fake.calls.length = 0;
  await work();
  return fake.calls.filter(({ path }) => path !== "/v1/account").map(wireOf);
}

const wanted = (method: string, minutes = 30) =>
  samplePayment(10_500n, method, { createdAt, expiresAt: at(minutes), isAnswered: true });
const metadata = { sluice_reference: REFERENCE, sluice_merchant: MERCHANT };
const billing_details = { name: "Ana Souza", email: "ana@example.com" };
const found = () => account.find(REFERENCE);
const earlier = (providerReference: string | undefined) => ({
  earlier: { providerReference: providerReference ?? null, account: "acct_1" },
});

describe("creating", () => {
  const common = { amount: 10_500, confirm: true, metadata } as const;

  it("a Pix payment", async () => {
    const params: Stripe.PaymentIntentCreateParams = {
      ...common,
      currency: "brl",
      allowed_payment_method_types: ["pix"],
      payment_method_data: { type: "pix", billing_details },
      payment_method_options: { pix: { expires_at: seconds(at(30)) } },
    };
    const ours = await wires(() => gateway.createPayment(wanted("BR_PIX"), signal));
    expect(ours).toEqual(await wires(() => sdk.paymentIntents.create(params)));
  });

  it("a SEPA transfer with its customer", async () => {
    const params: Stripe.PaymentIntentCreateParams = {
      ...common,
      currency: "eur",
      customer: "cus_1",
      allowed_payment_method_types: ["customer_balance"],
      payment_method_data: { type: "customer_balance", billing_details },
      payment_method_options: {
        customer_balance: {
          funding_type: "bank_transfer",
          bank_transfer: { type: "eu_bank_transfer", eu_bank_transfer: { country: "DE" } },
        },
      },
    };
    const ours = await wires(() => gateway.createPayment(wanted("DE_SEPA_TRANSFER"), signal));
    const customer = account.customers[0] ?? "";
    const theirs = await wires(async () => {
      await sdk.customers.create({ ...billing_details, metadata });
      await sdk.paymentIntents.create({ ...params, customer });
    });
    expect(ours).toEqual(theirs);
  });

  it("a page for a voucher", async () => {
    const params: Stripe.Checkout.SessionCreateParams = {
      expand: ["payment_intent"],
      mode: "payment",
      allowed_payment_method_types: ["boleto"],
      line_items: [
        { quantity: 1, price_data: { currency: "brl", unit_amount: 10_500, product_data: { name: "Payment" } } },
      ],
      client_reference_id: REFERENCE,
      customer_email: "ana@example.com",
      metadata,
      payment_intent_data: { metadata },
      payment_method_options: { boleto: { expires_after_days: 3 } },
      adaptive_pricing: { enabled: false },
      success_url: "https://pay.example.com/pay/dord_01h455vb4pex5vsknk084sn02q",
      expires_at: seconds(createdAt) + 23 * 3_600,
    };
    const ours = await wires(() => gateway.createPayment(wanted("BR_BOLETO", 72 * 60), signal));
    expect(ours).toEqual(await wires(() => sdk.checkout.sessions.create(params)));
  });
});

it("the balance, in our units", async () => {
  const ours = await wires(async () => {
    expect(await createStripeBalances(config)(signal, null)).toEqual([{ amount: 12_345n, currency: "EUR" }]);
  });
  expect(ours).toEqual(await wires(() => sdk.balance.retrieve()));
});

describe("reading and closing", () => {
  const created = { gte: seconds(createdAt) - 300, lte: seconds(createdAt) + 86_400 };

  it("the lists", async () => {
    const ours = await wires(async () => {
      await gateway.queryPayment(wanted("BR_PIX"), signal, createdAt);
      await gateway.queryPayment(wanted("NL_IDEAL"), signal, createdAt);
    });
    const theirs = await wires(async () => {
      await sdk.paymentIntents.list({ created, limit: 100 });
      await sdk.checkout.sessions.list({ created, limit: 100, expand: ["data.payment_intent"] });
    });
    expect(ours).toEqual(theirs);
  });

  it("one object of each kind", async () => {
    await gateway.createPayment(
      samplePayment(1n, "BR_PIX", { createdAt, expiresAt: at(30), reference: "dord_pix" }),
      signal,
    );
    const pix = account.find("dord_pix").intent?.id ?? "";
    const page = found().session?.id ?? "";
    const ours = await wires(async () => {
      await gateway.queryPayment({ ...wanted("BR_PIX"), ...earlier(pix) }, signal, createdAt);
      await gateway.queryPayment({ ...wanted("BR_BOLETO"), ...earlier(page) }, signal, createdAt);
    });
    const theirs = await wires(async () => {
      await sdk.paymentIntents.retrieve(pix);
      await sdk.checkout.sessions.retrieve(page, { expand: ["payment_intent"] });
    });
    expect(ours).toEqual(theirs);
    const closing = await wires(async () => {
      await gateway.cancelPayment?.({ ...wanted("BR_PIX"), reference: "dord_pix", ...earlier(pix) }, signal);
      await gateway.cancelPayment?.({ ...wanted("BR_BOLETO"), ...earlier(page) }, signal);
    });
    const closed = await wires(async () => {
      await sdk.paymentIntents.cancel(pix).catch(() => undefined);
      await sdk.checkout.sessions.expire(page, { expand: ["payment_intent"] }).catch(() => undefined);
    });
    expect(closing.filter((wire) => (wire as { method: string }).method === "POST")).toEqual(closed);
  });
});

it("calls for a connected account", async () => {
  const stripeAccount = "acct_1One";
  const connected = fake.openSubAccount(KEY, stripeAccount, { id: stripeAccount, livemode: false });
  const request = { ...wanted("BR_PIX"), reference: "dord_connected", subAccount: stripeAccount };
  const ours = await wires(async () => {
    await gateway.createPayment(request, signal);
    await gateway.queryPayment(request, signal, createdAt);
    await gateway.cancelPayment?.({ ...request, ...earlier(connected.find("dord_connected").intent?.id) }, signal);
    await createStripeBalances(config)(signal, stripeAccount);
  });
  const id = connected.find("dord_connected").intent?.id ?? "";
  const created = { gte: seconds(createdAt) - 300, lte: seconds(createdAt) + 86_400 };
  const theirs = await wires(async () => {
    await sdk.paymentIntents.create(
      {
        amount: 10_500,
        confirm: true,
        metadata: { ...metadata, sluice_reference: "dord_connected" },
        currency: "brl",
        allowed_payment_method_types: ["pix"],
        payment_method_data: { type: "pix", billing_details },
        payment_method_options: { pix: { expires_at: seconds(at(30)) } },
      },
      { stripeAccount },
    );
    await sdk.paymentIntents.list({ created, limit: 100 }, { stripeAccount });
    await sdk.paymentIntents.retrieve(id, {}, { stripeAccount });
    await sdk.paymentIntents.cancel(id, {}, { stripeAccount }).catch(() => undefined);
    await sdk.balance.retrieve({}, { stripeAccount });
  });
  expect(ours).toEqual(theirs);
});
