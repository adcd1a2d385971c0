import { describe, expect, it } from "vitest";
import type { BookedMovement } from "./booked-movement";
import { isByHand, isSumBooked, type JournalPosting, journalTransaction } from "./journal";

const movement = (uniqueKey: string, amount: bigint, currency = "BRL"): BookedMovement => ({
  uniqueKey,
  currency,
  amount,
  reference: null,
});
const report = (amount: bigint, currency?: string) => movement(`receipt:dord_1::BRL:${amount}`, amount, currency);
const byHand = (amount: bigint, currency?: string) => movement(`journal:jrn_${amount}`, amount, currency);
const fee = (amount: bigint) => movement("provider_fee:1", amount);
const settlement = (amount: bigint) => movement("provider_settlement:1", amount);

const ENTRY: JournalPosting = {
  id: "jrn_new",
  from: "provider_clearing",
  to: "available",
  currency: "BRL",
  amount: 1_050n,
  provider: "acme",
};

describe("an entry of 1,050", () => {
  it.each<[string, readonly BookedMovement[], Partial<JournalPosting>, boolean]>([
    ["nothing is booked", [], {}, false],
    ["a report has booked it", [report(1_050n)], {}, true],
    ["a report has booked another sum", [report(1_051n)], {}, false],
    ["a report has booked it in another currency", [report(1_050n, "USD")], {}, false],
    ["reports have booked it in parts", [report(1_000n), report(50n)], {}, true],
    ["some of what is booked makes it", [report(7n), report(1_000n), report(50n)], {}, true],
    ["entries have booked it in parts", [byHand(550n), byHand(500n)], {}, true],
    ["an entry was corrected to it", [byHand(1_500n), byHand(-450n)], {}, true],
    ["a report and an entry have booked it", [report(500n), byHand(550n)], {}, true],
    ["the parts are of two currencies", [report(500n), byHand(550n, "USD")], {}, false],
    ["a fee would make up the rest", [report(1_000n), fee(50n)], {}, false],
    ["a settlement would make up the rest", [report(1_000n), settlement(50n)], {}, false],
    ["a fee of the sum is booked", [fee(1_050n)], {}, true],
    ["it came in, and this leaves", [report(1_050n)], { from: "available", to: "provider_clearing" }, false],
    ["it has left, and this leaves", [report(-1_050n)], { from: "available", to: "provider_clearing" }, true],
    ["it is of no provider", [report(1_050n)], { from: "available", to: "bank", provider: null }, false],
    ["twelve others are booked", Array.from({ length: 12 }, () => report(3_000n)), {}, false],
    ["more are booked than can be combined", Array.from({ length: 13 }, () => report(3_000n)), {}, true],
  ])("if %s", (_, movements, changes, isBooked) => {
    expect(isSumBooked({ ...ENTRY, ...changes }, { movements, nextOrdinal: 1 })).toBe(isBooked);
  });
});

it.each([
  ["an entry", byHand(1n), true],
  ["a decision on money in suspense", movement("settled:receipt:word_1::BRL:1", 1n), true],
  ["a report", report(1n), false],
  ["a fee", fee(1n), false],
])("%s is booked by hand or not", (_, booked, expected) => {
  expect(isByHand(booked)).toBe(expected);
});

it("an entry's transaction moves the sum once, and names its provider only if it has one", () => {
  const entries = [
    { account: "provider_clearing", currency: "BRL", amount: -1_050n },
    { account: "available", currency: "BRL", amount: 1_050n },
  ];
  const made = journalTransaction(ENTRY);
  expect(made).toMatchObject({ reason: "journal", uniqueKey: "journal:jrn_new", intentId: null, provider: "acme" });
  expect(made.entries).toHaveLength(entries.length);
  expect(made.entries.map(({ amount }) => amount).toSorted()).toEqual([-1_050n, 1_050n]);
  expect(journalTransaction({ ...ENTRY, from: "bank", provider: null })).not.toHaveProperty("provider");
});
