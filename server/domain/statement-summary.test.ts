// Tests the head of a statement: its balances and totals explain each other.
import { expect, it } from "vitest";
import { type KindTotal, summarize } from "./statement-summary";

const kind = (reason: string, credited: bigint, debited: bigint): KindTotal => ({
  reason,
  credited,
  creditCount: credited > 0n ? 2 : 0,
  debited,
  debitCount: debited > 0n ? 3 : 0,
});

it("adds the kinds up, and the opening balance is the closing one without them", () => {
  const kinds = [kind("payment_credit", 500n, 0n), kind("payout_hold", 0n, 700n), kind("journal", 20n, 5n)];
  expect(summarize(1_000n, kinds)).toEqual({
    opening: 1_185n,
    closing: 1_000n,
    total: { credited: 520n, creditCount: 4, debited: 705n, debitCount: 6 },
    kinds: [kinds[1], kinds[0], kinds[2]],
  });
});

it("sorts the kinds by what they moved in both directions together", () => {
  const [both, one] = [kind("journal", 6n, 6n), kind("funding", 11n, 0n)];
  expect(summarize(0n, [one, both]).kinds).toEqual([both, one]);
  expect(summarize(0n, [both, one]).kinds).toEqual([both, one]);
});

it("without movements both balances are the same", () => {
  const total = { credited: 0n, creditCount: 0, debited: 0n, debitCount: 0 };
  expect(summarize(-3n, [])).toEqual({ opening: -3n, closing: -3n, total, kinds: [] });
});
