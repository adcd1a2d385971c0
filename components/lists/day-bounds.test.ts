import { expect, it } from "vitest";
import { daysOf } from "./day-bounds";

/** Includes zones whose clocks change at midnight, and zones far from UTC on either side. */
const ZONES = [
  "UTC",
  "Europe/Berlin",
  "America/Sao_Paulo",
  "America/Santiago",
  "Africa/Cairo",
  "America/Havana",
  "Asia/Kathmandu",
  "Pacific/Kiritimati",
  "Pacific/Pago_Pago",
  "Australia/Lord_Howe",
];

const dayAfter = (day: string) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);

it.each(ZONES)("a day begins where the previous one ends, at its first moment: %s", (zone) => {
  const { startOfDay, endOfDay, dayOfStart, dayOfEnd } = daysOf(zone);
  let day = "2026-01-01";
  for (let count = 0; count < 366; count += 1) {
    const next = dayAfter(day);
    const [begins, ends] = [startOfDay(day), endOfDay(day)];
    expect(ends).toBe(startOfDay(next));
    expect([dayOfStart(begins), dayOfEnd(ends)]).toEqual([day, day]);
    const before = new Date(Date.parse(begins) - 1).toISOString();
    expect(dayOfStart(before) < day).toBe(true);
    day = next;
  }
});

it("handles clocks that change at midnight", () => {
  const { startOfDay } = daysOf("Africa/Cairo");
  expect([startOfDay("2026-04-23"), startOfDay("2026-04-24")]).toEqual([
    "2026-04-22T22:00:00.000Z",
    "2026-04-23T22:00:00.000Z",
  ]);
  expect(startOfDay("2026-04-25")).toBe("2026-04-24T21:00:00.000Z");
});

it("returns no bound for text that is not a day", () => {
  const { startOfDay, endOfDay, dayOfStart, dayOfEnd } = daysOf("Europe/Berlin");
  for (const text of ["", "tomorrow", "2026-00-10"]) expect([startOfDay(text), endOfDay(text)]).toEqual(["", ""]);
  expect([dayOfStart(undefined), dayOfEnd("never")]).toEqual(["", ""]);
});
