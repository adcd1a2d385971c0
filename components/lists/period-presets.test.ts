import fc from "fast-check";
import { expect, it } from "vitest";
import { addDays, countDays } from "@/server/domain/days";
import { dashboardTexts } from "../i18n/catalogues";
import { periodPresets, recentPresets } from "./period-presets";

const texts = dashboardTexts("en");

const periodsOn = (today: string) =>
  Object.fromEntries(periodPresets(texts, today).map(({ value, from, until }) => [value, `${from} ${until}`]));

it("in the first month of a year, the last month and quarter are those of the year before", () => {
  expect(periodsOn("2028-01-31")).toMatchObject({
    this_month: "2028-01-01 2028-01-31",
    last_month: "2027-12-01 2027-12-31",
    this_quarter: "2028-01-01 2028-03-31",
    last_quarter: "2027-10-01 2027-12-31",
    this_year: "2028-01-01 2028-12-31",
    last_year: "2027-01-01 2027-12-31",
    "2027-11": "2027-11-01 2027-11-30",
    "2027-02": "2027-02-01 2027-02-28",
  });
});

it("names the last days, today included", () => {
  expect(recentPresets(texts, "2026-03-01").map(({ label, from, until }) => [label, from, until])).toEqual([
    ["Today", "2026-03-01", "2026-03-01"],
    ["Yesterday", "2026-02-28", "2026-02-28"],
    ["Last 7 days", "2026-02-23", "2026-03-01"],
    ["Last 30 days", "2026-01-31", "2026-03-01"],
    ["This month", "2026-03-01", "2026-03-31"],
    ["Last month", "2026-02-01", "2026-02-28"],
  ]);
});

it("names single months", () => {
  expect(
    periodPresets(texts, "2026-11-24")
      .map(({ label }) => label)
      .slice(6, 9),
  ).toEqual(["September 2026", "August 2026", "July 2026"]);
});

it("on any day, months follow each other without a gap, and the current one has the day in it", () => {
  const day = fc.integer({ min: 0, max: 30_000 }).map((days) => addDays("2000-01-01", days));
  const property = fc.property(day, (today) => {
    const [current, ...before] = periodPresets(texts, today).filter(({ value }) => /month$|^\d{4}-\d{2}$/.test(value));
    expect(current && current.from <= today && today <= current.until).toBe(true);
    let next = current?.from ?? "";
    for (const { from, until } of before) {
      expect(addDays(until, 1)).toBe(next);
      expect(countDays(from, until)).toBeGreaterThanOrEqual(28);
      next = from;
    }
    expect(before).toHaveLength(12);
  });
  fc.assert(property);
});
