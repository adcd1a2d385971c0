// The text that covers a ledger transaction in the audit log. Entries of years ago are checked with it: it never changes.
import { expect, it } from "vitest";
import { transactionId, transactionText } from "./audit-cover";
import { SCOPE, START } from "./testing/samples";

const entries = [
  { account: "provider_clearing:acme", currency: "BRL", amount: -5n },
  { account: "available", currency: "BRL", amount: 5n },
];
const facts = { ...SCOPE, id: "ltx_1", reason: "payment_credit", uniqueKey: "k", intentId: "dord_1", createdAt: START };

it("is a list of everything that was written, whatever the order of the entries", () => {
  const text = transactionText({ ...facts, entries });
  expect(JSON.parse(text)).toEqual([
    "sluice-ledger-1",
    SCOPE.merchantId,
    "test",
    "ltx_1",
    "payment_credit",
    "k",
    "dord_1",
    "2026-11-21T09:00:00.000Z",
    ["available BRL 5", "provider_clearing:acme BRL -5"],
  ]);
  expect(transactionText({ ...facts, entries: entries.toReversed() })).toBe(text);
});

it("the ids of a commit's transactions follow from its audit entry", () => {
  expect([0, 1, 2].map((place) => transactionId("aud_01h4", place))).toEqual(["ltx_01h4", "ltx_01h4_1", "ltx_01h4_2"]);
});
