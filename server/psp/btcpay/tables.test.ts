// Every documented status has a meaning; any other needs a person.
import { describe, expect, it } from "vitest";
import type { BtcpayStore } from "@/e2e/support/fake-btcpay/book";
import { FakeBtcpay } from "@/e2e/support/fake-btcpay/server";
import { withFake } from "../testing/fake";
import { signal } from "../testing/outcomes";
import { sampleTopup } from "../testing/requests";
import { createBtcpayGateway } from "./gateway";
import { ADDITIONAL_STATUSES, INVOICE_EVENTS, INVOICE_STATUSES, PAYMENT_STATUSES } from "./tables";
import { configAt, KEY, STORE } from "./testing/entry";

let fake: FakeBtcpay;
let store: BtcpayStore;

withFake(FakeBtcpay.start, (started) => {
  fake = started;
  store = fake.open(KEY, { storeId: STORE });
});

/** What a poll reports about a paid, or an unpaid, invoice with these members. */
async function reported(changes: object, isPaid: boolean, paymentStatus = "Settled"): Promise<string[]> {
  const gateway = createBtcpayGateway(configAt(fake.url));
  const request = sampleTopup(100_000n, { sourceCurrency: "BTC", network: "bitcoin" });
  await gateway.createTopup(request, signal);
  const invoice = store.find(request.reference);
  if (isPaid) Object.assign(store.pay(invoice, "0.1"), { status: paymentStatus });
  Object.assign(invoice, changes);
  const outcomes = await gateway.queryTopup(request, signal, new Date());
  return outcomes.map((one) => ("needsOperator" in one ? "operator" : one.kind));
}

describe("the tables", () => {
  it("name what the Greenfield document names, as `npm run btcpay:compare` checks", () => {
    expect(Object.keys(INVOICE_STATUSES)).toEqual(["New", "Processing", "Settled", "Expired", "Invalid"]);
    expect(Object.keys(ADDITIONAL_STATUSES)).toHaveLength(6);
    expect(Object.keys(PAYMENT_STATUSES)).toHaveLength(3);
    expect(Object.keys(INVOICE_EVENTS)).toHaveLength(7);
  });
});

describe("an invoice", () => {
  it.each([
    ["New", ["instructions"], ["instructions", "funds_seen"]],
    ["Processing", [], ["funds_seen"]],
    ["Settled", [], ["funds_seen"]],
    ["Expired", ["expired"], ["funds_seen"]],
    ["Invalid", ["operator"], ["operator"]],
    ["BrandNew", ["operator"], ["operator"]],
    ["__proto__", ["operator"], ["operator"]],
    ["constructor", ["operator"], ["operator"]],
  ])("that is %s: unpaid %j, paid %j", async (status, unpaid, paid) => {
    expect(await reported({ status }, false)).toEqual(unpaid);
    store.invoices.length = 0;
    expect(await reported({ status }, true)).toEqual(paid);
  });

  it.each([
    ["None", ["funds_seen"]],
    ["PaidPartial", ["funds_seen"]],
    ["PaidOver", ["funds_seen"]],
    ["PaidLate", ["funds_seen"]],
    ["Marked", ["operator"]],
    ["Invalid", ["operator"]],
    ["BrandNew", ["operator"]],
    ["toString", ["operator"]],
  ])("whose additional status is %s: %j", async (additionalStatus, expected) => {
    expect(await reported({ status: "Settled", additionalStatus }, true)).toEqual(expected);
  });
});

describe("a payment", () => {
  it.each([
    ["Processing", ["funds_seen"]],
    ["Settled", ["funds_seen"]],
    ["Invalid", ["funds_dropped"]],
    ["BrandNew", ["operator"]],
    ["valueOf", ["operator"]],
  ])("that is %s: %j", async (status, expected) => {
    expect(await reported({ status: "Processing" }, true, status)).toEqual(expected);
  });
});
