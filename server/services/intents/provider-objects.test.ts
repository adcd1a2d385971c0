import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AttemptRecord, EntryRecord } from "@/server/db/history";
import { newId } from "@/server/platform/ids";
import { configureGateways } from "@/server/psp/registry";
import { providerObjects } from "./provider-objects";

const STRIPE = { type: "stripe", account: "acct_1Ours", webhook_secrets: ["whsec_0123456789abcdef01234567"] };
const PAYSTACK = { type: "paystack", account: "463433" };
const key = (environment: string) => `sk_${environment}_${"0123456789".repeat(4)}`;

beforeAll(() =>
  configureGateways(
    JSON.stringify([
      { name: "stripe", ...STRIPE, secret_key: key("live") },
      { name: "stripe-test", ...STRIPE, secret_key: key("test"), environments: ["test"] },
      { name: "paystack", ...PAYSTACK, secret_key: key("live") },
      { name: "bridge", url: "http://127.0.0.1:9", secret: "s".repeat(32) },
    ]),
  ),
);
afterAll(() => configureGateways(null));

const [payment, payout] = [newId("paymentIntent"), newId("payoutIntent")];

const attempt = (provider: string, providerReference: string | null): AttemptRecord => ({
  ordinal: 1,
  provider,
  state: "answered",
  outcome: "pending",
  providerReference,
  providerCode: null,
  subAccount: null,
  startedAt: new Date(0),
  answeredAt: new Date(0),
});
const entry = (uniqueKey: string): EntryRecord => ({
  transactionId: "ltx",
  uniqueKey,
  reason: "payment",
  account: "available",
  currency: "BRL",
  amount: 1n,
  at: new Date(0),
});
const pageOf = (id: string, provider: string, reference: string) =>
  providerObjects({ id, provider }, [attempt(provider, reference)], []).reference?.page;

describe("the page of an object on the provider's dashboard", () => {
  it.each([
    ["stripe", "pi_1", "https://dashboard.stripe.com/payments/pi_1"],
    ["stripe-test", "pi_1", "https://dashboard.stripe.com/test/payments/pi_1"],
    ["stripe", "cs_live_a1", "https://dashboard.stripe.com/checkout/sessions/cs_live_a1"],
    ["stripe-test", "cs_test_a1", "https://dashboard.stripe.com/test/checkout/sessions/cs_test_a1"],
    ["paystack", "4099260516", "https://dashboard.paystack.com/#/transactions/4099260516"],
    ["stripe", "cus_1", null],
    ["stripe", "pi_1/../../settings", null],
    ["stripe", "pi_1?x=1", null],
    ["paystack", "1/../settings", null],
    ["paystack", "TRF_1", null],
    ["bridge", "pi_1", null],
    ["removed", "pi_1", null],
  ])("of %s for %s is %s", (provider, reference, page) => {
    expect(pageOf(payment, provider, reference)).toBe(page);
  });

  it("of a transfer is not known, whatever its reference looks like", () => {
    expect(pageOf(payout, "paystack", "4099260516")).toBe(null);
  });
});

describe("what the provider calls an intent", () => {
  it("is the last reference of its present provider", () => {
    const attempts = [
      attempt("bridge", "old"),
      attempt("stripe", "pi_2"),
      attempt("bridge", "b-1"),
      attempt("bridge", null),
    ];
    const { reference } = providerObjects({ id: payment, provider: "bridge" }, attempts, []);
    expect(reference).toEqual({ reference: "b-1", page: null });
    expect(providerObjects({ id: payment, provider: "bridge" }, [attempt("stripe", "pi_2")], []).reference).toBeNull();
  });

  it("includes its receipts under other names, each once", () => {
    const keys = ["7001", "7001", "9"].map((receipt) => entry(`receipt_id:${payment}:paystack:${receipt}`));
    const foreign = [entry(`receipt_id:${payment}:bridge:1`), entry(`payout_settlement:${payment}`)];
    const attempts = [attempt("paystack", "9")];
    expect(providerObjects({ id: payment, provider: "paystack" }, attempts, [...keys, ...foreign]).receipts).toEqual([
      { reference: "7001", page: "https://dashboard.paystack.com/#/transactions/7001" },
    ]);
  });
});

it("names the merchant's own account of the calls to the intent's provider", () => {
  const at = (provider: string, subAccount: string | null) => ({ ...attempt(provider, null), subAccount });
  const calls = [at("stripe", "acct_1One"), at("paystack", null)];
  expect(providerObjects({ id: payment, provider: "stripe" }, calls, []).subAccount).toBe("acct_1One");
  expect(providerObjects({ id: payment, provider: "paystack" }, calls, []).subAccount).toBeNull();
});
