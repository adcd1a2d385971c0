// Owns the proof that a report about another object than ours decides nothing.
import { describe, expect, it } from "vitest";
import { contradictionOf } from "./contradiction";
import { decideOnPaymentOutcome } from "./payment-intent";
import { decideOnPayoutOutcome } from "./payout-intent";
import { after, samplePayment, samplePayout, sampleTopup } from "./testing/samples";
import { decideOnTopupOutcome } from "./topup-intent";

const trace = (amount: bigint, currency = "BRL") => ({ providerReference: "p", intended: { amount, currency } });

describe("a provider that says the creation asked for another sum", () => {
  it.each([
    ["settled", { kind: "settled", amount: 1n, currency: "BRL", ...trace(1n) }],
    ["declined", { kind: "declined", message: null, ...trace(1n) }],
    ["returned", { kind: "returned", amount: 1n, currency: "BRL", ...trace(25_000n, "MXN") }],
  ] as const)("neither settles, fails nor returns a payout (%s)", (_what, outcome) => {
    const intent = samplePayout("processing");
    expect(decideOnPayoutOutcome(intent, outcome, after(1))).toMatchObject({
      kind: "contradiction",
      exception: { kind: "contradiction", objectId: intent.id, detail: { amount: "25000", reported: outcome.kind } },
    });
  });

  it("moves no payment and no top-up", () => {
    const money = { amount: 1050n, currency: "BRL" };
    const paid = { kind: "succeeded", receiptId: null, ...money, ...trace(1n) } as const;
    expect(decideOnPaymentOutcome(samplePayment(), paid, after(1)).kind).toBe("contradiction");
    const seen = { kind: "funds_seen", confirmed: true, amount: 1n, currency: "USDT", ...trace(1n) } as const;
    expect(decideOnTopupOutcome(sampleTopup(), seen, after(1)).kind).toBe("contradiction");
  });
});

it("the same sum, or none, contradicts nothing", () => {
  const intent = samplePayout("processing");
  expect(contradictionOf(intent, intent, { kind: "pending", ...trace(25_000n) })).toBeNull();
  expect(contradictionOf(intent, intent, { kind: "pending", providerReference: null })).toBeNull();
  expect(contradictionOf(intent, intent, { kind: "unknown", detail: "x" })).toBeNull();
});
