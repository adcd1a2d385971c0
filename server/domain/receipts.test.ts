import { expect, it } from "vitest";
import type { BookedMovement } from "./booked-movement";
import {
  ambiguousReceipt,
  compareReceipts,
  creditKey,
  formerReceipt,
  type Receipt,
  receiptIdOf,
  unmatchedReceipt,
} from "./receipts";

const report = (changes: Partial<Receipt> = {}): Receipt => ({
  intentId: "dord_1",
  provider: "acme",
  receiptId: null,
  reference: "px_1",
  currency: "BRL",
  amount: 1050n,
  ...changes,
});
const credited = (changes: Partial<Receipt> = {}): BookedMovement => ({
  uniqueKey: creditKey(report(changes)),
  currency: "BRL",
  amount: 1050n,
  reference: null,
});
const kept = (reference: string | null): BookedMovement => ({
  uniqueKey: unmatchedReceipt("late_money", report()).uniqueKey,
  currency: "BRL",
  amount: 1050n,
  reference,
});

/** Booked as of a provider that the intent has left; exceptions of older bookings hold no reference. */
const former = (changes: Partial<Receipt>, reference: string | null = null): BookedMovement => ({
  ...kept(reference),
  uniqueKey: formerReceipt(report(changes)).uniqueKey,
});
const formerKey = (key: string): BookedMovement => ({
  ...kept(null),
  uniqueKey: `receipt:dord_1:acme:${key}:BRL:1050`,
});

/** What operators booked for the intent by hand; without a reference, as their journal entry names none. */
const journal: BookedMovement = { ...kept(null), uniqueKey: "journal:jrn_1" };

const ID = { receiptId: "r-1" };
const NONE = { reference: "" };

it.each([
  ["the same id under another reference", credited(ID), report({ ...ID, reference: "px_2" }), "booked"],
  ["the same id with another sum", credited(ID), report({ ...ID, amount: 1n }), "ambiguous"],
  ["the same id in another currency", credited(ID), report({ ...ID, currency: "USD" }), "ambiguous"],
  ["another id with an equal sum and reference", credited(ID), report({ receiptId: "r-2" }), "separate"],
  ["the same id of another provider", credited({ ...ID, provider: "other" }), report(ID), "separate"],
  ["no ids, equal sums and references", credited(), report(), "booked"],
  ["a reference with colons", credited({ reference: "a:b" }), report({ reference: "a:b" }), "booked"],
  ["no ids and no references", credited(NONE), report(NONE), "booked"],
  ["no ids, a reference on one side", credited(), report(NONE), "ambiguous"],
  ["no ids, a reference on the other side", credited(NONE), report(), "ambiguous"],
  ["no ids, other references", credited(), report({ reference: "px_2" }), "ambiguous"],
  ["no ids, another sum", credited(), report({ amount: 1049n }), "separate"],
  ["no ids, another currency", credited(), report({ currency: "USD" }), "separate"],
  ["kept apart under the reference of its exception", kept("px_1"), report(), "booked"],
  ["kept apart under another reference", kept("px_2"), report(), "ambiguous"],
  ["booked before ids, under the report's reference", credited(), report(ID), "booked"],
  ["booked before ids, without a reference", credited(NONE), report({ ...ID, ...NONE }), "ambiguous"],
  ["booked with an id, reported without one", credited(ID), report(), "ambiguous"],
  ["booked with an id, another sum reported without one", credited(ID), report({ amount: 1n }), "separate"],
  ["of a former provider, under the reference of its exception", former({}, "px_1"), report(), "booked"],
  ["of a former provider, under another reference", former({}, "px_2"), report(), "ambiguous"],
  ["of a former provider, with the same id", former(ID), report({ ...ID, ...NONE }), "booked"],
  ["of a former provider, booked under its reference", formerKey("px_1"), report(), "booked"],
  ["of a former provider, booked under another", formerKey("px_2"), report(), "ambiguous"],
  ["of a former provider, booked without a reference", formerKey(""), report(NONE), "booked"],
  ["of a former provider, booked without a reference, reported with one", formerKey(""), report(), "ambiguous"],
  ["booked by hand, an equal sum", journal, report(), "ambiguous"],
  ["booked by hand, an equal sum without a reference", journal, report(NONE), "ambiguous"],
  ["booked by hand, an equal sum with an id", journal, report(ID), "ambiguous"],
  ["booked by hand, another sum", journal, report({ amount: 1049n }), "ambiguous"],
])("%s", (_what, booked, receipt, verdict) => {
  expect(compareReceipts([booked], receipt)).toBe(verdict);
});

it("nothing booked is a separate receipt, and of several the certain one decides", () => {
  expect(compareReceipts([], report())).toBe("separate");
  const others = [credited({ reference: "px_2" }), credited(), credited(ID)];
  expect(compareReceipts(others, report())).toBe("booked");
});

it("money that may be booked already opens one exception for its id, or for its reference where it has none", () => {
  expect(ambiguousReceipt(report({ receiptId: "r_1" }))).toEqual({
    kind: "ambiguous",
    exception: {
      kind: "ambiguous_receipt",
      objectId: "dord_1",
      fact: "ambiguous_receipt:dord_1:acme:r_1:BRL:1050",
      detail: { amount: "1050", currency: "BRL", provider_reference: "px_1", receipt_id: "r_1" },
    },
  });
  const { exception } = ambiguousReceipt(report({ receiptId: null }));
  expect(exception.fact).toBe("ambiguous_receipt:dord_1:acme:px_1:BRL:1050");
  expect(ambiguousReceipt(report({ reference: "" })).exception.detail.provider_reference).toBeNull();
});

it("a booking tells the provider's id of its receipt, for the intent and the provider that it is of", () => {
  const { uniqueKey } = credited(ID);
  const of = { id: "dord_1", provider: "acme" };
  expect(receiptIdOf(uniqueKey, of)).toBe("r-1");
  expect(receiptIdOf(uniqueKey, { ...of, provider: "other" })).toBeNull();
  expect(receiptIdOf(uniqueKey, { ...of, id: "dord_2" })).toBeNull();
  expect(receiptIdOf(credited().uniqueKey, of)).toBeNull();
});

it("the receipt of a provider that the intent has left is late money under that provider's name", () => {
  expect(formerReceipt(report())).toMatchObject({ reason: "late_money", intentId: "dord_1", provider: "acme" });
});
