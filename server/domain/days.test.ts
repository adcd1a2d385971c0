import { describe, expect, it } from "vitest";
import { addDays, countDays, dayAt, dayStarts, daysBetween, isDay, monthIn, startOfDay } from "./days";
import { zoneNamed } from "./wall-clock";

const HOUR_MS = 60 * 60 * 1_000;

it.each([
  ["2028-02-29", true],
  ["2026-02-29", false],
  ["2026-11-31", false],
  ["2026-13-01", false],
  ["2026-1-1", false],
  ["", false],
])("%s is a day: %s", (text, expected) => expect(isDay(text)).toBe(expected));

it("days are every one from the first to the last, across months and leap days", () => {
  expect(daysBetween("2028-02-27", "2028-03-01")).toEqual(["2028-02-27", "2028-02-28", "2028-02-29", "2028-03-01"]);
  expect(countDays("2028-02-27", "2028-03-01")).toBe(4);
  expect(daysBetween("2028-03-02", "2028-03-01")).toEqual([]);
  expect(addDays("2026-01-01", -1)).toBe("2025-12-31");
});

describe("a zone's days", () => {
  it.each([
    // Clocks go forward, and back, by an hour, at midnight, by half an hour; no change at all.
    ["Europe/Berlin", "2026-03-29", 23],
    ["Europe/Berlin", "2026-10-25", 25],
    ["Africa/Cairo", "2026-04-24", 23],
    ["Australia/Lord_Howe", "2026-10-04", 23.5],
    ["Australia/Lord_Howe", "2026-04-05", 24.5],
    ["Asia/Kathmandu", "2026-06-01", 24],
    // The day that Samoa left out.
    ["Pacific/Apia", "2011-12-30", 0],
    ["Pacific/Apia", "2011-12-29", 24],
  ])("%s, %s: %d hours", (zone, day, hours) => {
    const [begins, ends] = dayStarts(day, day, zone).map((at) => at.getTime());
    expect(((ends ?? 0) - (begins ?? 0)) / HOUR_MS).toBe(hours);
  });

  it.each([
    ["2026-11", "UTC", "2026-11-01T00:00:00.000Z", "2026-12-01T00:00:00.000Z"],
    ["2026-12", "America/Sao_Paulo", "2026-12-01T03:00:00.000Z", "2027-01-01T03:00:00.000Z"],
    ["2026-03", "Europe/Berlin", "2026-02-28T23:00:00.000Z", "2026-03-31T22:00:00.000Z"],
  ])("of the month %s in %s are those from %s to %s", (month, zone, from, to) => {
    expect(monthIn(month, zone)).toEqual({ from: new Date(from), to: new Date(to) });
  });

  it("begin at an instant that the day is named by", () => {
    for (const zone of ["UTC", "Asia/Kathmandu", "Asia/Kolkata", "America/Santiago", "Pacific/Chatham"]) {
      for (const day of daysBetween("2026-01-01", "2026-12-31")) {
        const start = startOfDay(day, zone);
        expect([dayAt(start, zone), dayAt(new Date(start.getTime() - 1), zone)]).toEqual([day, addDays(day, -1)]);
      }
    }
  });
});

it.each([
  ["europe/berlin", "Europe/Berlin"],
  ["UTC", "UTC"],
  ["Mars/Olympus", null],
  ["", null],
])("the zone %s is %s", (name, expected) => expect(zoneNamed(name)).toBe(expected));
