// The outcomes of the simulator and the states that follow from them.
import { describe, expect, it } from "vitest";
import {
  SIMULATED_OUTCOMES,
  SIMULATED_PAYMENT_OUTCOMES,
  SIMULATED_PAYOUT_OUTCOMES,
  SIMULATED_TOPUP_OUTCOMES,
} from "@/server/domain/simulated-outcomes";
import { after, samplePayment, samplePayout, sampleTopup } from "../testing/requests";
import { simulatePayment, simulatePayout, simulateTopup } from "./simulate";

const now = after(1_000);
const kinds = (outcomes: readonly { readonly kind: string }[] | null) =>
  outcomes?.map((outcome) => outcome.kind) ?? null;

describe("the simulator", () => {
  it.each([
    ["requires_action", ["requires_action"]],
    ["pending", ["pending"]],
    ["succeeded", ["succeeded"]],
    ["declined", ["declined"]],
    ["failed", ["declined"]],
    ["cancelled", ["cancelled"]],
    ["expired", ["expired"]],
  ])("reports a payment's %s as %s", (outcome, news) => {
    expect(kinds(simulatePayment(samplePayment(1000n), outcome, now))).toEqual(news);
  });

  it.each([
    ["settled", ["settled"]],
    ["succeeded", ["settled"]],
    ["declined", ["declined"]],
    ["failed", ["declined"]],
    ["invalid_recipient", ["invalid_recipient"]],
    ["returned", ["returned"]],
  ])("reports a payout's %s as %s", (outcome, news) => {
    expect(kinds(simulatePayout(samplePayout(1000n), outcome, now))).toEqual(news);
  });

  it.each([
    ["funds_seen", 18_416_207n, false],
    ["succeeded", 18_416_207n, true],
    ["underpaid", 9_208_103n, true],
    ["overpaid", 20_257_827n, true],
  ])("reports a top-up's %s as funds of %s", (outcome, amount, confirmed) => {
    expect(simulateTopup(sampleTopup(1000n), outcome, now)).toMatchObject([
      { kind: "funds_seen", amount, confirmed, currency: "USDT" },
    ]);
  });

  it.each([
    ["declined", ["declined"]],
    ["failed", ["declined"]],
    ["expired", ["expired"]],
  ])("reports a top-up's %s as %s", (outcome, news) => {
    expect(kinds(simulateTopup(sampleTopup(1000n), outcome, now))).toEqual(news);
  });

  it("underpays amounts ending in 08 and overpays those ending in 09", () => {
    expect(simulateTopup(sampleTopup(508n), "succeeded", now)).toMatchObject([{ amount: 9_208_103n, confirmed: true }]);
    expect(simulateTopup(sampleTopup(509n), "succeeded", now)).toMatchObject([
      { amount: 20_257_827n, confirmed: true },
    ]);
    expect(simulateTopup(sampleTopup(508n, { sourceAmount: 1n }), "succeeded", now)).toMatchObject([{ amount: 1n }]);
  });

  it("repeats and reorders the outcomes of amounts ending in 06", () => {
    const mixed = ["pending", "succeeded", "succeeded", "requires_action"];
    expect(kinds(simulatePayment(samplePayment(506n), "succeeded", now))).toEqual(mixed);
    expect(kinds(simulatePayment(samplePayment(506n), "pending", now))).toEqual(["pending", "pending"]);
    expect(kinds(simulatePayout(samplePayout(506n), "settled", now))).toEqual([
      "pending",
      "settled",
      "settled",
      "pending",
    ]);
    const topup = ["pending", "funds_seen", "funds_seen", "instructions"];
    expect(kinds(simulateTopup(sampleTopup(506n), "succeeded", now))).toEqual(topup);
  });

  it("reports money after the end for amounts ending in 07", () => {
    expect(kinds(simulatePayment(samplePayment(507n), "expired", now))).toEqual(["expired", "succeeded"]);
    expect(kinds(simulateTopup(sampleTopup(507n), "expired", now))).toEqual(["expired", "funds_seen"]);
    expect(kinds(simulatePayment(samplePayment(507n), "succeeded", now))).toEqual(["succeeded"]);
  });

  it("accepts exactly the listed names", () => {
    const known = (simulate: (name: string) => unknown) => SIMULATED_OUTCOMES.filter((name) => simulate(name) !== null);
    const payments = known((name) => simulatePayment(samplePayment(1000n), name, now));
    const payouts = known((name) => simulatePayout(samplePayout(1000n), name, now));
    const topups = known((name) => simulateTopup(sampleTopup(1000n), name, now));
    expect(payments.sort()).toEqual([...SIMULATED_PAYMENT_OUTCOMES].sort());
    expect(payouts.sort()).toEqual([...SIMULATED_PAYOUT_OUTCOMES].sort());
    expect(topups.sort()).toEqual([...SIMULATED_TOPUP_OUTCOMES].sort());
    expect(new Set(SIMULATED_OUTCOMES)).toEqual(new Set([...payments, ...payouts, ...topups]));
    expect(simulatePayment(samplePayment(1000n), "constructor", now)).toBeNull();
  });
});
