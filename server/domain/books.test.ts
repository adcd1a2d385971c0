// Tests that what is decided by the books carries the next numbers, and that nothing else does.
import { expect, it } from "vitest";
import { decideOnBooks } from "./books";
import type { PayoutOutcome } from "./outcome";
import { decideOnPayoutOutcome } from "./payout-intent";
import { samplePayout } from "./testing/samples";

const NOW = new Date("2026-11-22T12:00:00.000Z");

function numbersOf(status: "processing" | "failed" | "succeeded", outcome: PayoutOutcome, nextOrdinal: number) {
  const intent = samplePayout(status);
  const decision = decideOnPayoutOutcome(intent, outcome, NOW);
  if (decision.kind !== "depends_on_books") throw new RangeError(`${decision.kind} was decided without the books`);
  const decided = decideOnBooks(decision, { movements: [], nextOrdinal });
  const transactions =
    decided.kind === "planned"
      ? decided.plan.transactions
      : decided.kind === "unmatched_funds"
        ? [decided.transaction]
        : [];
  return [decided.kind, ...transactions.map(({ uniqueKey, movementOrdinal }) => [uniqueKey, movementOrdinal])];
}

const { id, amount, currency } = samplePayout("processing");
const moved = (kind: "settled" | "returned", sum = amount): PayoutOutcome => {
  return { kind, amount: sum, currency, providerReference: "px" };
};

it("money kept apart has the next number", () => {
  const key = `receipt:${id}:px:${currency}:${-amount}`;
  expect(numbersOf("failed", moved("settled"), 1)).toEqual(["unmatched_funds", [key, 1]]);
  expect(numbersOf("failed", moved("settled"), 7)).toEqual(["unmatched_funds", [key, 7]]);
});

it("an excess keeps its number when it goes to suspense", () => {
  const excess = [`amount_mismatch:bank_return:${id}:px`, 2];
  expect(numbersOf("succeeded", moved("returned", amount + 1n), 2)).toEqual(["unmatched_funds", excess]);
});

it("all bookings of a plan are numbered", () => {
  const booked = [
    [`payout_settlement:${id}`, 3],
    [`bank_return:${id}:px`, 4],
  ];
  expect(numbersOf("processing", moved("returned"), 3)).toEqual(["planned", ...booked]);
});

it("a decision that books nothing has no number", () => {
  expect(numbersOf("succeeded", moved("settled"), 1)).toEqual(["ignored"]);
});
