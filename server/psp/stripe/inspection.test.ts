// What a check of a Stripe account's configuration finds.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { FakeStripe } from "@/e2e/support/fake-stripe/server";
import { stripeConfig } from "./config";
import { createStripeInspection } from "./inspection";

const KEY = `sk_test_${"0".repeat(24)}`;
const signal = new AbortController().signal;
let fake: FakeStripe;

beforeAll(async () => {
  fake = await FakeStripe.start();
});
afterAll(() => fake.stop());
beforeEach(() => {
  fake.clear();
  fake.calls.length = 0;
  fake.open(KEY, { id: "acct_1Ours", livemode: false });
});

const inspect = (changes: object = {}) => {
  const entry = { name: "stripe", type: "stripe", account: "acct_1Ours", secret_key: KEY, environments: ["test"] };
  const more = { webhook_secrets: ["whsec_0123456789abcdef"], url: fake.url };
  return createStripeInspection(stripeConfig.parse({ ...entry, ...more, ...changes }))(signal);
};

it("a key of the configured account is fine, and only a call that changes nothing was made", async () => {
  expect(await inspect()).toEqual([{ level: "ok", text: "secret_key belongs to account acct_1Ours" }]);
  expect(fake.calls.map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /v1/account"]);
});

it("a key of another account stops the start", async () => {
  const text = "secret_key belongs to account acct_1Ours, not to acct_1Other";
  expect(await inspect({ account: "acct_1Other" })).toEqual([{ level: "fault", text, stopsStart: true }]);
});

it("a key that Stripe rejects is a fault", async () => {
  const findings = await inspect({ secret_key: `sk_test_${"1".repeat(24)}` });
  expect(findings).toEqual([{ level: "fault", text: "Stripe rejects secret_key" }]);
});

it.each(["error_before", "html", "lost_answer", "rate_limited"] as const)(
  "an answer with %s is a warning: Stripe may be away while Sluice starts",
  async (fault) => {
    fake.spoil(/account/, fault);
    expect(await inspect()).toMatchObject([{ level: "warning" }]);
  },
);
