// Tests months as addresses name them.
import { expect, it } from "vitest";
import { firstDayOf, monthChoices, monthOf } from "./months";

it.each([
  ["2026-11-24", "2026-11-01"],
  ["2026-01-01", "2026-01-01"],
  ["2026-12-31", "2026-12-01"],
  ["0999-03-02", "0999-03-01"],
])("the month of %s begins on %s", (day, first) => {
  expect(firstDayOf(monthOf(day))).toBe(first);
});

it("months are counted without a gap, also across years", () => {
  expect(monthOf("2027-01-05") - monthOf("2026-12-31")).toBe(1);
  expect(monthOf("0000-01-01")).toBe(0);
});

it("the choices are the month of the day and those before it, the newest first", () => {
  expect(monthChoices("2026-02-28", 4)).toEqual(["2026-02", "2026-01", "2025-12", "2025-11"]);
  expect(monthChoices("2026-02-28", 0)).toEqual([]);
});
