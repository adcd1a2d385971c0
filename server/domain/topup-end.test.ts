// What the end of a top-up books: under its own name and currency, once, and with a reason for the person who decides.
import { expect, it } from "vitest";
import { sampleTopup } from "./testing/samples";
import { creditBooked, lateBooked, NOTHING_BOOKED, restBooked } from "./topup-end";

const topup = sampleTopup();
const paid = (receivedAmount: bigint) => ({
  seenAmount: receivedAmount,
  receivedAmount,
  reportedAmount: receivedAmount,
});

it("the credit is booked once for the top-up, in its currency", () => {
  const { creditedAmount, booked } = creditBooked(topup, paid(topup.sourceAmount));
  expect(creditedAmount).toBe(topup.destinationAmount);
  expect(booked.exceptions).toEqual([]);
  expect(booked.transactions).toMatchObject([
    { reason: "topup_credit", uniqueKey: `topup_credit:${topup.id}`, intentId: topup.id },
  ]);
  const entries = booked.transactions.flatMap((transaction) => transaction.entries);
  expect(new Set(entries.map(({ currency }) => currency))).toEqual(new Set(["BRL"]));
});

it("a credit of nothing books nothing", () => {
  expect(creditBooked(topup, paid(0n))).toEqual({ creditedAmount: 0n, booked: NOTHING_BOOKED });
});

it.each(["hold", "refund"] as const)("what the policy %s keeps apart waits for a person, as overpaid", (policy) => {
  const policies = { ...topup.policies, overpayment: policy };
  const { booked } = creditBooked({ ...topup, policies }, paid(topup.sourceAmount * 2n));
  expect(booked.exceptions).toMatchObject([
    {
      kind: "amount_mismatch",
      objectId: topup.id,
      fact: `topup_credit:${topup.id}`,
      detail: { why: "overpaid", policy },
    },
  ]);
});

it("the rest of an end without a credit waits for a person, with the failure and the policy", () => {
  const policies = { ...topup.policies, underpayment: "refund" } as const;
  const { transactions, exceptions } = restBooked({ ...topup, policies }, paid(1_000_000n), "underpaid");
  expect(transactions).toMatchObject([{ uniqueKey: `topup_rest:${topup.id}`, intentId: topup.id }]);
  expect(exceptions).toMatchObject([{ detail: { why: "underpaid", policy: "refund" } }]);
  expect(restBooked(topup, paid(0n), "expired")).toEqual(NOTHING_BOOKED);
});

it("late funds of the last report are booked once, beside the end", () => {
  const totals = { seenAmount: 1_000_000n, receivedAmount: 1_000_000n, reportedAmount: 3_000_000n };
  const { transactions, exceptions } = lateBooked(topup, totals);
  expect(transactions).toMatchObject([{ reason: "late_money", uniqueKey: `topup_late:${topup.id}:end` }]);
  expect(exceptions).toMatchObject([{ kind: "late_money", detail: { policy: "hold" } }]);
  expect(lateBooked(topup, { ...totals, reportedAmount: 1_000_000n })).toEqual(NOTHING_BOOKED);
  const credited = { ...topup, policies: { ...topup.policies, latePayment: "credit_actual" } } as const;
  expect(lateBooked(credited, totals)).toMatchObject({ transactions: [{ reason: "late_money" }], exceptions: [] });
});
