// Refunds of the Stripe adapter against the hostile fake and the official SDK: what is sent, what each answer means, and that
// nothing is refunded twice.
import Stripe from "stripe";
import { describe, expect, it } from "vitest";
import type { StripeAccount } from "@/e2e/support/fake-stripe/book";
import { parseForm } from "@/e2e/support/fake-stripe/form";
import { CANCELLED } from "@/e2e/support/fake-stripe/objects";
import { FakeStripe } from "@/e2e/support/fake-stripe/server";
import type { RefundOutcome } from "@/server/domain/outcome";
import type { Creation, Gateway, RefundRequest } from "../gateway";
import { withFake } from "../testing/fake";
import { kinds, signal } from "../testing/outcomes";
import { samplePayment } from "../testing/requests";
import { stripeConfig } from "./config";
import { createStripeGateway } from "./gateway";

const KEY = `sk_test_${"0".repeat(24)}`;
const OTHER_KEY = `sk_test_${"9".repeat(24)}`;
const ACCOUNT = "acct_1OurAccount";
const PAYMENT = "dord_01h455vb4pex5vsknk084sn02q";
const MERCHANT = "mer_01h455vb4pex5vsknk084sn02q";
const REFERENCE = "sref_01h455vb4pex5vsknk084sn02q";

let fake: FakeStripe;
let account: StripeAccount;
let gateway: Gateway;
let request: RefundRequest;

const gatewayOf = (secret_key = KEY) => {
  const entry = { name: "stripe", type: "stripe", account: ACCOUNT, secret_key, environments: ["test"] };
  const lists = { payment_methods: "all", webhook_secrets: ["whsec_0123456789abcdef"], url: fake.url };
  return createStripeGateway(stripeConfig.parse({ ...entry, ...lists }));
};

withFake(FakeStripe.start, async (started) => {
  fake = started;
  account = fake.open(KEY, { id: ACCOUNT, livemode: false });
  fake.open(OTHER_KEY, { id: "acct_1Theirs", livemode: false });
  gateway = gatewayOf();
  const createdAt = new Date();
  const payment = samplePayment(10_500n, "BR_PIX", { createdAt, expiresAt: new Date(createdAt.getTime() + 1_800_000) });
  await gateway.createPayment(payment, signal);
  const { id: receiptId } = fake.pay(account, PAYMENT);
  fake.calls.length = 0;
  const about = { reference: REFERENCE, merchantId: MERCHANT, environment: "test", createdAt } as const;
  request = {
    ...about,
    amount: 10_500n,
    currency: "BRL",
    payment: { reference: PAYMENT, providerReference: receiptId, receiptId },
    subAccount: null,
  };
});

const creation = (changes: Partial<RefundRequest> = {}): Creation<RefundRequest> => {
  return { ...request, announcedAt: new Date(), ...changes };
};
const create = async (changes: Partial<RefundRequest> = {}) =>
  (await gateway.createRefund?.(creation(changes), signal)) as RefundOutcome;
const query = async (changes: Partial<RefundRequest> = {}) =>
  (await gateway.queryRefund?.({ ...request, ...changes }, signal, new Date())) ?? [];
const earlier = (providerReference: string | null = null) => ({ earlier: { providerReference, account: ACCOUNT } });
const sums = () => account.refunds.map(({ amount }) => amount);
const sent = () => fake.calls.filter(({ method, path }) => method === "POST" && path === "/v1/refunds");

describe("what is sent", () => {
  it("is the whole sum of the PaymentIntent that received it, under our reference", async () => {
    const refund = await create();
    const providerReference = account.refunds[0]?.id;
    expect(refund).toMatchObject({ kind: "settled", amount: 10_500n, currency: "BRL", providerReference });
    const [call] = sent();
    expect(call?.headers["idempotency-key"]).toBe(REFERENCE);
    expect(call?.body).toEqual({
      payment_intent: request.payment.receiptId,
      amount: "10500",
      metadata: { sluice_reference: REFERENCE, sluice_merchant: MERCHANT },
    });
  });

  it("is what Stripe's SDK sends", async () => {
    const { hostname: host, port } = new URL(fake.url);
    const sdk = new Stripe(KEY, { host, port, protocol: "http", maxNetworkRetries: 0, telemetry: false });
    const wires = async (work: () => Promise<unknown>) => {
      fake.calls.length = 0;
      await work();
      return fake.calls
        .filter(({ path }) => path !== "/v1/account")
        .map(({ method, path, headers, text }) => {
          const [address, params = ""] = path.split("?");
          const { authorization, "stripe-version": version } = headers;
          return { method, address, query: parseForm(params), body: parseForm(text), authorization, version };
        });
    };
    const payment_intent = request.payment.receiptId ?? "";
    const metadata = { sluice_reference: REFERENCE, sluice_merchant: MERCHANT };
    const ours = await wires(() => create());
    const params = { payment_intent, amount: 10_500, metadata };
    expect(await wires(() => sdk.refunds.create(params).catch(() => undefined))).toEqual(ours);
    const id = account.refunds[0]?.id ?? "";
    expect(await wires(() => query(earlier(id)))).toEqual(await wires(() => sdk.refunds.retrieve(id)));
    expect(await wires(() => query())).toEqual(await wires(() => sdk.refunds.list({ payment_intent, limit: 100 })));
  });

  it.each(["lost_request", "lost_answer", "error_after", "stored_error", "html", "key_in_use"] as const)(
    "after %s is repeated with the same bytes, and refunded once",
    async (fault) => {
      fake.spoil(/POST .v1.refunds/, fault);
      const first = await create();
      expect(["unknown", "not_sent"]).toContain(first.kind);
      await create(earlier());
      expect(new Set(sent().map(({ text }) => text)).size).toBe(1);
      expect(kinds(await query(earlier()))).toEqual(["settled"]);
      expect(sums()).toEqual([10_500]);
    },
  );

  it.each<[string, Partial<RefundRequest>]>([
    ["of no PaymentIntent", { payment: { reference: PAYMENT, providerReference: "cs_1", receiptId: null } }],
    ["of a sum that Stripe cannot express", { amount: 10_501n, currency: "KWD" }],
    ["of the other environment", { environment: "live" }],
  ])("is nothing for a refund %s", async (_what, changes) => {
    expect((await create(changes)).kind).toBe("never_accepted");
    expect(sent()).toEqual([]);
  });

  it("is nothing while the key belongs to another account, and that proves nothing", async () => {
    gateway = gatewayOf(OTHER_KEY);
    expect((await create()).kind).toBe("not_sent");
    expect(await query()).toMatchObject([{ kind: "unknown", needsOperator: true }]);
    expect(sent()).toEqual([]);
  });
});

describe("a refusal", () => {
  it("of the first call means that nothing was refunded", async () => {
    expect((await create({ amount: 10_501n })).kind).toBe("never_accepted");
    expect(kinds(await query({ amount: 10_501n }))).toEqual(["never_accepted"]);
    expect(sums()).toEqual([]);
  });

  it("of a repeat proves nothing: after Stripe has forgotten the key, the money may be gone", async () => {
    await create();
    account.forgetKeys();
    expect((await create(earlier())).kind).toBe("unknown");
    expect(sums()).toEqual([10_500]);
  });

  it.each(["no_route", "not_found", "refused"] as const)("of a poll by %s proves nothing", async (fault) => {
    await create();
    fake.spoil(/GET .v1.refunds/, fault);
    expect(kinds(await query())).toEqual(["unknown"]);
  });
});

describe("a status", () => {
  it.each<[string | null, string]>([
    ["pending", "pending"],
    ["requires_action", "pending"],
    ["succeeded", "settled"],
    ["failed", "returned"],
    [CANCELLED, "operator"],
    ["brand_new", "operator"],
    ["__proto__", "operator"],
    [null, "operator"],
  ])("%s means %s", async (status, meaning) => {
    await create();
    const [refund] = account.refunds;
    Object.assign(refund ?? {}, { status });
    for (const known of [earlier(refund?.id), {}]) {
      const [outcome] = await query(known);
      expect(outcome && "needsOperator" in outcome ? "operator" : outcome?.kind).toBe(meaning);
    }
  });

  it("that fails after it had settled is money that came back, with Stripe's reason", async () => {
    await create();
    Object.assign(account.refunds[0] ?? {}, { status: "failed", failure_reason: "declined" });
    expect(await query()).toMatchObject([{ kind: "returned", amount: 10_500n, providerCode: "declined" }]);
  });
});

describe("another object", () => {
  it("with our reference, of another payment or sum, is not taken for our refund", async () => {
    await create();
    const [refund] = account.refunds;
    Object.assign(refund ?? {}, { amount: 1 });
    expect(await query()).toMatchObject([{ kind: "settled", amount: 1n }]);
    Object.assign(refund ?? {}, { payment_intent: "pi_other" });
    expect(kinds(await query(earlier(refund?.id)))).toEqual(["unknown"]);
    expect(kinds(await query())).toEqual(["never_accepted"]);
  });

  it("beside ours is passed over, and two of our reference are for a person", async () => {
    const payment_intent = request.payment.receiptId ?? "";
    account.createRefund({ payment_intent, amount: "500" });
    expect(kinds(await query())).toEqual(["never_accepted"]);
    await create({ amount: 1_000n });
    expect(kinds(await query({ amount: 1_000n }))).toEqual(["settled"]);
    account.createRefund({ payment_intent, amount: "100", metadata: { sluice_reference: REFERENCE } });
    expect(await query()).toMatchObject([{ kind: "unknown", needsOperator: true }]);
  });

  it("that is malformed proves nothing", async () => {
    await create();
    Object.assign(account.refunds[0] ?? {}, { amount: -1 });
    expect(kinds(await query())).toEqual(["unknown"]);
  });

  it("that Stripe no longer has is for a person", async () => {
    expect(await query(earlier("re_gone"))).toMatchObject([{ kind: "unknown", needsOperator: true }]);
  });
});
