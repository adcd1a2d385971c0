import { expect, it } from "vitest";
import { closingBalances } from "./balance-days";

it("each day closes with what the next one began with, the last with the balance less what came after", () => {
  const huge = 10n ** 37n;
  expect(closingBalances(["2026-11-20", "2026-11-21"], [5n, -2n, 100n], huge)).toEqual([
    { day: "2026-11-20", change: 5n, closing: huge - 98n },
    { day: "2026-11-21", change: -2n, closing: huge - 100n },
  ]);
  expect(closingBalances([], [], 1n)).toEqual([]);
});
