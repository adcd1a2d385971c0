// What a check of a business's configuration finds.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { XenditAccount } from "@/e2e/support/fake-xendit/book";
import { FakeXendit } from "@/e2e/support/fake-xendit/server";
import { createXenditInspection } from "./inspection";
import { BUSINESS, configAt, KEY } from "./testing/entry";

const signal = new AbortController().signal;
let fake: FakeXendit;
let account: XenditAccount;

beforeAll(async () => {
  fake = await FakeXendit.start();
});
afterAll(() => fake.stop());
beforeEach(() => {
  fake.clear();
  fake.calls.length = 0;
  account = fake.open(KEY, { business_id: BUSINESS });
});

const inspect = (changes: object = {}) => createXenditInspection(configAt(fake.url, changes))(signal);

it("a key of the configured business is fine, and only calls that change nothing were made", async () => {
  expect(await inspect()).toEqual([{ level: "ok", text: `secret_key belongs to account ${BUSINESS}` }]);
  expect(fake.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "GET /payment_requests?limit=1",
    "GET /transactions?limit=1",
  ]);
});

it("a key of another business stops the start", async () => {
  const other = "6018306aa16ad90cb3c43ba7";
  const text = `secret_key belongs to account ${BUSINESS}, not to ${other}`;
  expect(await inspect({ account: other })).toEqual([{ level: "fault", text, stopsStart: true }]);
});

it("a key that Xendit rejects is a fault", async () => {
  const findings = await inspect({ secret_key: `xnd_development_${"1".repeat(40)}` });
  expect(findings).toEqual([{ level: "fault", text: "Xendit rejects secret_key" }]);
});

it("a business without anything cannot be checked yet", async () => {
  account.transactions = 0;
  expect(await inspect()).toEqual([
    {
      level: "warning",
      text: "secret_key was not checked, and no payout is sent until it is: Xendit lists no payment request and no transaction that it may read",
    },
  ]);
});

it.each(["error_before", "html", "lost_answer", "rate_limited"] as const)(
  "an answer with %s is a warning: Xendit may be away while Sluice starts",
  async (fault) => {
    fake.spoil(/limit=1/, fault, fault);
    expect(await inspect()).toMatchObject([{ level: "warning" }]);
  },
);
