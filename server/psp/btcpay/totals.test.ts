// Totals of the payments on a top-up's invoices: partial, over, late, replaced and reorganized, each payment once.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { BtcpayStore } from "@/e2e/support/fake-btcpay/book";
import type { Invoice } from "@/e2e/support/fake-btcpay/objects";
import { FakeBtcpay } from "@/e2e/support/fake-btcpay/server";
import type { Gateway } from "../gateway";
import { withFake } from "../testing/fake";
import { kinds, needs, signal } from "../testing/outcomes";
import { sampleTopup } from "../testing/requests";
import { createBtcpayGateway } from "./gateway";
import { configAt, KEY, STORE } from "./testing/entry";

const REFERENCE = "tuin_01h455vb4pex5vsknk084sn02q";
const ASKED = 1_000_000n;

let fake: FakeBtcpay;
let store: BtcpayStore;
let gateway: Gateway;
let invoice: Invoice;

const request = () => sampleTopup(100_000n, { sourceAmount: ASKED, sourceCurrency: "BTC", network: "bitcoin" });

withFake(FakeBtcpay.start, async (started) => {
  fake = started;
  store = fake.open(KEY, { storeId: STORE });
  gateway = createBtcpayGateway(configAt(fake.url));
  await gateway.createTopup(request(), signal);
  invoice = store.find(REFERENCE);
});

/** The outcomes of a poll without the address: kind, total, and whether it is confirmed. */
async function polled(): Promise<unknown[][]> {
  const outcomes = await gateway.queryTopup(request(), signal, new Date());
  return outcomes
    .filter(({ kind }) => kind !== "instructions")
    .map((one) => [one.kind, ...("amount" in one ? [one.amount] : []), ...("confirmed" in one ? [one.confirmed] : [])]);
}

describe("payments", () => {
  it("are seen first and confirmed later", async () => {
    const payment = store.pay(invoice, "0.01");
    expect(await polled()).toEqual([["funds_seen", ASKED, false]]);
    store.confirm(invoice, payment);
    expect(await polled()).toEqual([["funds_seen", ASKED, true]]);
    expect(invoice.status).toBe("Settled");
  });

  it("in part leave the address open, and both totals are reported", async () => {
    const first = store.pay(invoice, "0.004");
    store.pay(invoice, "0.003");
    store.confirm(invoice, first);
    expect(await polled()).toEqual([
      ["funds_seen", 700_000n, false],
      ["funds_seen", 400_000n, true],
    ]);
    expect(invoice).toMatchObject({ status: "New", additionalStatus: "PaidPartial" });
    expect(kinds(await gateway.queryTopup(request(), signal, new Date()))[0]).toBe("instructions");
  });

  it("of more than was asked for count in full", async () => {
    store.pay(invoice, "0.01");
    store.pay(invoice, "0.02");
    store.confirm(invoice);
    expect(invoice.additionalStatus).toBe("PaidOver");
    expect(await polled()).toEqual([["funds_seen", 3_000_000n, true]]);
  });

  it("after the end count as well, and nothing else ends a paid invoice", async () => {
    store.expire(invoice);
    expect(await polled()).toEqual([["expired"]]);
    store.pay(invoice, "0.004");
    expect(invoice).toMatchObject({ status: "Expired", additionalStatus: "PaidPartial" });
    expect(await polled()).toEqual([["funds_seen", 400_000n, false]]);
    store.pay(invoice, "0.006");
    store.confirm(invoice);
    expect(invoice).toMatchObject({ status: "Expired", additionalStatus: "PaidLate" });
    expect(await polled()).toEqual([["funds_seen", ASKED, true]]);
  });

  it("that a chain takes back are reported with what remains", async () => {
    const [first, second] = [store.pay(invoice, "0.004"), store.pay(invoice, "0.006")];
    store.confirm(invoice);
    store.drop(invoice, second);
    expect(await polled()).toEqual([
      ["funds_seen", 400_000n, true],
      ["funds_dropped", 400_000n],
    ]);
    store.drop(invoice, first);
    expect(await polled()).toEqual([["funds_dropped", 0n]]);
    store.expire(invoice);
    // The invoice stays settled at BTCPay: only its payments tell that they are gone.
    expect(invoice.status).toBe("Settled");
  });

  it("that the payer replaces count once", async () => {
    const slow = store.pay(invoice, "0.01");
    store.drop(invoice, slow);
    store.pay(invoice, "0.01");
    expect(await polled()).toEqual([
      ["funds_seen", ASKED, false],
      ["funds_dropped", ASKED],
    ]);
  });

  it("of two invoices of one top-up are added, each payment once", async () => {
    fake.spoil(/GET .*invoices/, "empty_list");
    await gateway.createTopup(
      { ...request(), earlier: { providerReference: null, account: STORE }, announcedAt: new Date() },
      signal,
    );
    const [, second] = store.invoices;
    if (!second) throw new Error("no second invoice");
    Object.assign(second, { createdTime: invoice.createdTime + 1 });
    const payment = store.pay(invoice, "0.004");
    store.pay(second, "0.005");
    second.methods[0]?.payments.push(payment);
    const outcomes = await gateway.queryTopup(request(), signal, new Date());
    expect(outcomes.at(-1)).toMatchObject({ kind: "funds_seen", amount: 900_000n });
    store.expire(second);
    expect(kinds(outcomes)).not.toContain("expired");
  });

  it("of one invoice after the other has expired keep the top-up open", async () => {
    fake.spoil(/GET .*invoices/, "empty_list");
    await gateway.createTopup(
      { ...request(), earlier: { providerReference: null, account: STORE }, announcedAt: new Date() },
      signal,
    );
    store.expire(invoice);
    expect(await polled()).toEqual([]);
  });

  it("with another payment method need a person", async () => {
    const payments = [{ id: "ln", receivedDate: 1, value: "0.01", fee: "0", destination: "", status: "Settled" }];
    invoice.methods.push({ paymentMethodId: "BTC-LN", destination: "lnbc1", payments });
    expect(needs(await gateway.queryTopup(request(), signal, new Date()))).toEqual([true]);
  });

  it.each(["1e-2", "-0.01", "0x1", "0.0100000000000000000001"])("of %s prove nothing", async (value) => {
    invoice.methods[0]?.payments.push({
      id: "x-0",
      receivedDate: 1,
      value,
      fee: "0",
      destination: "",
      status: "Settled",
    });
    expect(await polled()).toEqual([["unknown"]]);
  });

  it("add up exactly, whatever their number and order", async () => {
    const sums = fc.array(
      fc.tuple(fc.bigInt({ min: 1n, max: 10n ** 15n }), fc.constantFrom("Processing", "Settled", "Invalid")),
      { maxLength: 12 },
    );
    const property = fc.asyncProperty(sums, async (payments) => {
      const [method] = invoice.methods;
      method?.payments.splice(0);
      for (const [at, [units, status]] of payments.entries()) {
        const text = units.toString().padStart(9, "0");
        const value = `${text.slice(0, -8)}.${text.slice(-8)}`;
        method?.payments.push({ id: `tx-${at}`, receivedDate: 1, value, fee: "0", destination: "", status });
      }
      const total = (...some: readonly string[]) =>
        payments.reduce((sum, [units, status]) => (some.includes(status) ? sum + units : sum), 0n);
      const [all, confirmed] = [total("Processing", "Settled"), total("Settled")];
      const isShort = payments.some(([, status]) => status === "Invalid");
      expect(await polled()).toEqual([
        ...(all > confirmed ? [["funds_seen", all, false]] : []),
        ...(confirmed > 0n ? [["funds_seen", confirmed, true]] : []),
        ...(isShort ? [["funds_dropped", all]] : []),
      ]);
    });
    await fc.assert(property, { numRuns: 40, seed: 20_261_126 });
  });
});
