import { expect, it } from "vitest";
import { after, sampleTopup } from "./testing/samples";
import { totalException, totalFacts, totalInDoubt } from "./topup-doubt";
import { valueOf } from "./topup-funds";
import { decideOnLateDrop, decideOnLateFunds } from "./topup-late";
import type { KnownTotals } from "./topup-step";

const ASKED = sampleTopup().sourceAmount;
const NOTHING: KnownTotals = { ordinal: 0, seen: null, reported: 0n, taken: 0n, dropped: 0n, restoredAt: null };
const NONE = { count: 0, amount: 0n };
const BY_HAND = "journal entries have booked money of it";
const GONE = "these funds were gone";

const succeeded = () => sampleTopup("succeeded", { seenAmount: ASKED, receivedAmount: ASKED, reportedAmount: ASKED });
const WHOLE = valueOf(ASKED, succeeded());

const funds = (amount: bigint) => {
  const decision = decideOnLateFunds(succeeded(), { amount, confirmed: true, isInTime: true });
  if (decision.kind !== "total") throw new TypeError(decision.reason);
  return decision;
};
const left = (remaining: bigint) => decideOnLateDrop(succeeded(), remaining, after(60 * 60_000));
const gone = (dropped: bigint): KnownTotals => ({ ...NOTHING, ordinal: 1, dropped });

it.each([
  ["funds that are booked", funds(ASKED), NOTHING, NONE, null],
  ["funds beyond what is booked, which a report may book", funds(2n * ASKED), NOTHING, NONE, null],
  ["funds that were gone", funds(ASKED), gone(WHOLE), NONE, { amount: WHOLE, why: GONE }],
  [
    "a part of the funds that were gone",
    funds(ASKED / 2n),
    gone(WHOLE),
    NONE,
    { amount: valueOf(ASKED / 2n, succeeded()), why: GONE },
  ],
  ["what is left after funds were gone", left(0n), gone(WHOLE / 2n), NONE, null],
  ["funds that are booked, beside money by hand", funds(ASKED), NOTHING, { count: 1, amount: 500n }, null],
  [
    "funds of which entries took a part back",
    funds(ASKED),
    NOTHING,
    { count: 1, amount: -500n },
    { amount: 500n, why: BY_HAND },
  ],
  [
    "further funds, beside money by hand",
    funds(2n * ASKED),
    NOTHING,
    { count: 1, amount: WHOLE },
    { amount: valueOf(2n * ASKED, succeeded()) - WHOLE, why: BY_HAND },
  ],
  [
    "further funds, beside entries that cancel out",
    funds(2n * ASKED),
    NOTHING,
    { count: 2, amount: 0n },
    { amount: valueOf(2n * ASKED, succeeded()) - WHOLE, why: BY_HAND },
  ],
  [
    "funds gone of which entries took all back",
    left(0n),
    NOTHING,
    { count: 1, amount: -WHOLE },
    { amount: WHOLE, why: BY_HAND },
  ],
  [
    "all left of what reports booked, but not of what entries did",
    left(ASKED),
    NOTHING,
    { count: 1, amount: 500n },
    { amount: 500n, why: BY_HAND },
  ],
])("%s", (_, total, known, byHand, inDoubt) => {
  expect(totalInDoubt(total, known, byHand)).toEqual(inDoubt);
});

it("asks once about a total, until another one is reported", () => {
  const asked = totalException("tuin_1", funds(2n * ASKED), { amount: WHOLE, why: BY_HAND }, "0.1");
  expect(asked).toEqual({
    kind: "ambiguous_receipt",
    objectId: "tuin_1",
    fact: `ambiguous_receipt:tuin_1:total:USDT:${2n * ASKED}:0.1`,
    detail: {
      amount: WHOLE.toString(),
      currency: "BRL",
      why: BY_HAND,
      reported_amount: (2n * ASKED).toString(),
      reported_currency: "USDT",
    },
  });
  expect(asked.fact.startsWith(totalFacts("tuin_1"))).toBe(true);
});
