// Exceptions: each fact opens one, under a name that its repetition finds again.
import { describe, expect, it } from "vitest";
import { bookedException, contradictionException, stalledException, stuckException } from "./exceptions";
import { walletFunding } from "./ledger";
import { fundsDropped } from "./ledger-topups";
import { after, START } from "./testing/samples";

describe("an intent that stands still", () => {
  const DAY_MS = 86_400_000;
  const intent = { id: "word_1", status: "processing", updatedAt: START };

  it("is stuck after a day, and says in which status", () => {
    expect(stalledException(intent, after(DAY_MS - 1))).toBeNull();
    expect(stalledException(intent, after(DAY_MS))).toEqual({
      kind: "stuck",
      objectId: "word_1",
      fact: "stuck:word_1:standstill",
      detail: { why: "The intent has been processing for a day without a change." },
    });
  });

  it("has the day after its window, where that ends later than its last change", () => {
    const withWindow = { ...intent, expiresAt: after(1_000) };
    expect(stalledException(withWindow, after(DAY_MS))).toBeNull();
    expect(stalledException(withWindow, after(DAY_MS + 1_000))).not.toBeNull();
    expect(stalledException({ ...intent, expiresAt: after(-1_000) }, after(DAY_MS - 1))).toBeNull();
  });
});

it("names the state of an intent, so that it opens again while the state lasts, and no other with it", () => {
  expect(stuckException("word_1", "forgotten", "why").fact).toBe("stuck:word_1:forgotten");
  expect(contradictionException("word_1", "acme", { why: "x" })).toEqual({
    kind: "contradiction",
    objectId: "word_1",
    fact: "contradiction:word_1:acme",
    detail: { why: "x" },
  });
});

it("says of a booking which account waits for a decision, and how much", () => {
  const dropped = fundsDropped({ intentId: "tuin_1", reference: "2", currency: "BRL", amount: 40n });
  expect(bookedException("funds_dropped", dropped, { policy: "hold" })).toEqual({
    kind: "funds_dropped",
    objectId: "tuin_1",
    fact: dropped.uniqueKey,
    detail: { booked_to: "suspense", amount: "-40", currency: "BRL", policy: "hold" },
  });
});

it("says of a booking without suspense where the money went", () => {
  const booking = { ...walletFunding("k", "BRL", 5n), intentId: "word_1" };
  expect(bookedException("bank_return", booking)).toMatchObject({ detail: { booked_to: "available", amount: "5" } });
  expect(() => bookedException("bank_return", { ...booking, entries: [] })).toThrow(RangeError);
});
