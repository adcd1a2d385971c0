import { expect, it } from "vitest";
import { chosenPeriod, withPeriod } from "./overview-address";

it.each([
  [{}, { days: 30 }],
  [{ days: "7" }, { days: 7 }],
  [{ days: "8" }, { days: 30 }],
  [{ from: "2026-11-01" }, { days: 30 }],
  [
    { days: "7", from: "2026-11-01", to: "2026-11-05" },
    { from: "2026-11-01", to: "2026-11-05" },
  ],
])("%j is the period %j", (filters, expected) => expect(chosenPeriod(filters)).toEqual(expected));

it("a new period replaces the old one, and nothing else", () => {
  const filters = { days: "7", currency: "BRL" };
  const custom = withPeriod(filters, { from: "2026-11-01", to: "2026-11-05" });
  expect(custom).toEqual({ currency: "BRL", from: "2026-11-01", to: "2026-11-05" });
  expect(withPeriod(custom, { days: 90 })).toEqual({ currency: "BRL", days: "90" });
});
