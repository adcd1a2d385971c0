import { describe, expect, it } from "vitest";
import { anotherObject, contradictionOf } from "./contradiction";
import type { PaymentOutcome } from "./outcome";
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

it("money in such a report has an exception of its own, by its sum and name; what is said again has none", () => {
  const intent = samplePayment();
  const intended = { amount: 990n, currency: "BRL" };
  const opened = (outcome: PaymentOutcome) => contradictionOf(intent, outcome)?.exception;
  const paid = (amount: bigint, receiptId: string | null, providerReference: string | null) =>
    opened({ kind: "succeeded", amount, currency: "BRL", receiptId, providerReference, intended });
  const pending = opened({ kind: "pending", providerReference: "px_9", intended });
  expect(pending?.detail).not.toHaveProperty("reported_amount");
  const all = [paid(990n, null, "px_9"), paid(991n, null, "px_9"), paid(990n, null, "px_8"), paid(990n, "r-1", "px_9")];
  expect(new Set([pending, ...all].map((exception) => exception?.fact)).size).toBe(5);
  expect(paid(990n, "r-1", null)?.fact).toBe(all[3]?.fact);
  expect(all[3]?.detail).toMatchObject({
    reported: "succeeded",
    reported_amount: "990",
    reported_currency: "BRL",
    provider_reference: "px_9",
    receipt_id: "r-1",
  });
});

it("each fact is named by what the provider says of the creation, and by its money if it reports any", () => {
  const intent = samplePayment();
  const facts = (
    [
      { kind: "pending", ...trace(990n) },
      { kind: "succeeded", amount: 5n, currency: "USD", receiptId: null, ...trace(990n) },
      { kind: "succeeded", amount: 5n, currency: "USD", receiptId: "r-1", ...trace(990n) },
      { kind: "succeeded", amount: 5n, currency: "USD", receiptId: null, ...trace(990n), providerReference: null },
    ] as const
  ).map((outcome) => contradictionOf(intent, outcome)?.exception.fact);
  const start = `contradiction:${intent.id}:990:BRL`;
  const money = `${start}:succeeded:5:USD:`;
  expect(facts).toEqual([start, `${money}p`, `${money}r-1`, money]);
});

it("a provider that the intent has left is named, and has exceptions of its own", () => {
  const intent = samplePayout("processing");
  const settled = { kind: "settled", amount: 1n, currency: "BRL", ...trace(1n) } as const;
  const [own, former] = [intent.provider, "acme"].map(
    (provider) => anotherObject(intent, provider, settled)?.exception,
  );
  expect([own?.detail.provider, former?.detail.provider]).toEqual([intent.provider, "acme"]);
  const money = "1:BRL:settled:1:BRL:p";
  expect([own?.fact, former?.fact]).toEqual([
    `contradiction:${intent.id}:${money}`,
    `contradiction:${intent.id}:acme:${money}`,
  ]);
  expect(own?.detail).toMatchObject({ provider_reference: "p", receipt_id: null });
});

it("the same sum, or none, contradicts nothing", () => {
  const intent = samplePayout("processing");
  expect(contradictionOf(intent, { kind: "pending", ...trace(25_000n) })).toBeNull();
  expect(contradictionOf(intent, { kind: "pending", providerReference: null })).toBeNull();
  expect(contradictionOf(intent, { kind: "unknown", detail: "x" })).toBeNull();
});
