import { describe, expect, it } from "vitest";
import {
  creditsAnything,
  decidePaymentResolution,
  decidePayoutResolution,
  decideTopupResolution,
  isResolvable,
  type Resolution,
} from "./manual-resolution";
import { PAYMENT_STATUSES } from "./payment-transitions";
import { PAYOUT_STATUSES } from "./payout-transitions";
import { after, samplePayment, samplePayout, sampleTopup } from "./testing/samples";
import { TOPUP_STATUSES } from "./topup-transitions";

const now = after(60_000);
const found = (amount: bigint | null, intentRevision = 0): Resolution => ({
  outcome: amount === null ? "failed" : "succeeded",
  amount,
  providerReference: "px-1",
  intentRevision,
});

it("ends open intents only", () => {
  const resolvable = {
    payment_intent: PAYMENT_STATUSES.filter((status) => isResolvable("payment_intent", status)),
    payout_intent: PAYOUT_STATUSES.filter((status) => isResolvable("payout_intent", status)),
    topup_intent: TOPUP_STATUSES.filter((status) => isResolvable("topup_intent", status)),
  };
  expect(resolvable).toEqual({
    payment_intent: ["processing", "requires_action"],
    payout_intent: ["requires_approval", "processing"],
    topup_intent: ["requires_payment", "processing"],
  });
});

it("ends a refund that is confirmed, and nothing of an unknown kind", () => {
  const statuses = ["proposed", "confirmed", "settled", "failed", "rejected"];
  expect(statuses.filter((status) => isResolvable("suspense_refund", status))).toEqual(["confirmed"]);
  expect(isResolvable("journal", "confirmed")).toBe(false);
});

it("counts for the revision that was shown only", () => {
  const stale = found(null, 1);
  expect(decidePaymentResolution(samplePayment(), stale, now).kind).toBe("ignored");
  expect(decidePayoutResolution(samplePayout("processing"), stale, now).kind).toBe("ignored");
  expect(decideTopupResolution(sampleTopup(), stale, now).kind).toBe("ignored");
});

describe("a payout", () => {
  it.each([
    ["its amount", 25_000n, { held: -25_000n, provider_clearing: 25_000n }, undefined],
    ["less", 24_000n, { held: -25_000n, provider_clearing: 24_000n, available: 1_000n }, undefined],
    [
      "more",
      26_000n,
      { held: -25_000n, provider_clearing: 26_000n, suspense: -1_000n },
      {
        kind: "amount_mismatch",
        objectId: samplePayout().id,
        fact: `payout_settlement:${samplePayout().id}`,
        detail: { why: "more left than was held", booked_to: "suspense", amount: "-1000", currency: "BRL" },
      },
    ],
  ])("settled for %s ends its whole hold", (_what, amount, moved, exception) => {
    const decision = decidePayoutResolution(samplePayout("processing"), found(amount), now);
    const plan = decision.kind === "planned" ? decision.plan : null;
    expect(plan).toMatchObject({ trigger: "resolved_settled", eventType: "payout_intent.succeeded" });
    const entries = plan?.transactions.flatMap((transaction) => transaction.entries) ?? [];
    expect(Object.fromEntries(entries.map((entry) => [entry.account, entry.amount]))).toEqual(moved);
    expect(plan?.exceptions?.[0]).toEqual(exception);
  });
});

it("a failure by hand has the code provider_declined, and moves nothing but a hold", () => {
  const failureOf = (what: string) => ({
    code: "provider_declined",
    message: `The provider did not complete the ${what}; resolved manually.`,
  });
  expect(decidePayoutResolution(samplePayout("processing"), found(null), now)).toMatchObject({
    plan: { after: { status: "failed", failure: failureOf("payout") }, transactions: [{ reason: "payout_release" }] },
  });
  expect(decidePaymentResolution(samplePayment("requires_action"), found(null), now)).toMatchObject({
    plan: { after: { status: "failed", failure: failureOf("payment") }, transactions: [] },
  });
  expect(decideTopupResolution(sampleTopup("processing"), found(null), now)).toMatchObject({
    plan: { after: { status: "failed", failure: failureOf("top-up") }, transactions: [] },
  });
});

it("a payment is credited under the reference that was found, so that a later report of it is the same money", () => {
  const payment = samplePayment();
  expect(decidePaymentResolution(payment, found(payment.amount), now)).toMatchObject({
    kind: "planned",
    plan: {
      trigger: "resolved_succeeded",
      after: { status: "succeeded", failure: null },
      transactions: [{ reason: "payment_credit", uniqueKey: `receipt:${payment.id}:px-1:BRL:1050` }],
    },
  });
});

it("what was seen and reported of a top-up stays known when people find that less was received", () => {
  const topup = sampleTopup("processing", { seenAmount: 500_000_000n, reportedAmount: 400_000_000n });
  expect(decideTopupResolution(topup, found(topup.sourceAmount), now)).toMatchObject({
    plan: {
      after: { receivedAmount: topup.sourceAmount, seenAmount: 500_000_000n, reportedAmount: 400_000_000n },
    },
  });
});

it("a top-up is credited on its terms, never by a total that is worth nothing", () => {
  const topup = sampleTopup("processing");
  const decision = decideTopupResolution(topup, found(topup.sourceAmount), now);
  expect(decision).toMatchObject({
    plan: {
      trigger: "resolved_succeeded",
      after: { status: "succeeded", receivedAmount: topup.sourceAmount, creditedAmount: topup.destinationAmount },
    },
  });
  expect([creditsAnything(topup, topup.sourceAmount), creditsAnything(topup, 1n)]).toEqual([true, false]);
});
