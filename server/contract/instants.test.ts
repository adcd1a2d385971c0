import { describe, expect, it } from "vitest";
import { formatInstant, parseInstant } from "./instants";

const iso = (text: string) => parseInstant(text)?.toISOString() ?? null;

describe("a valid instant is read", () => {
  it.each([
    ["2026-11-21T09:30:00Z", "2026-11-21T09:30:00.000Z"],
    ["2026-11-21T09:30Z", "2026-11-21T09:30:00.000Z"],
    ["2026-11-21T09:30:00.5Z", "2026-11-21T09:30:00.500Z"],
    ["2026-11-21T09:30:00,25Z", "2026-11-21T09:30:00.250Z"],
    ["2026-11-21T09:30:00+08:00", "2026-11-21T01:30:00.000Z"],
    ["2026-11-21T09:30:00-03:30", "2026-11-21T13:00:00.000Z"],
    ["2026-11-21T09:30:00-00:00", "2026-11-21T09:30:00.000Z"],
    ["2026-11-21T00:00:00+14:00", "2026-11-20T10:00:00.000Z"],
    ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"],
    ["0100-01-01T00:00:00+14:00", "0099-12-31T10:00:00.000Z"],
    ["9999-12-31T23:59:59.9999Z", "+010000-01-01T00:00:00.000Z"],
  ])("%s as %s", (text, expected) => {
    expect(iso(text)).toBe(expected);
  });

  it("with its plus restored if a query string decoded it to a space", () => {
    expect(iso("2026-11-21T09:30:00 08:00")).toBe("2026-11-21T01:30:00.000Z");
    expect(iso("2026-11-21T09:30:00.123 08:00")).toBe("2026-11-21T01:30:00.123Z");
  });

  it("to the millisecond exactly, for each of the thousand", () => {
    for (let ms = 0; ms < 1000; ms += 1) {
      const fraction = ms.toString().padStart(3, "0");
      expect(iso(`2026-11-21T09:30:00.${fraction}Z`)).toBe(`2026-11-21T09:30:00.${fraction}Z`);
      expect(iso(`2026-11-21T09:30:00.${fraction}000000Z`)).toBe(`2026-11-21T09:30:00.${fraction}Z`);
    }
  });

  it("finer than a millisecond as the next millisecond, so that bounds stay exact", () => {
    expect(iso("2026-11-21T09:30:00.123000001Z")).toBe("2026-11-21T09:30:00.124Z");
    expect(iso("2026-11-21T09:30:00.0001Z")).toBe("2026-11-21T09:30:00.001Z");
    expect(iso("2026-12-31T23:59:59.9995Z")).toBe("2027-01-01T00:00:00.000Z");
  });
});

describe("an instant is rejected", () => {
  it.each([
    ["without an offset", "2026-11-21T09:30:00"],
    ["without a time", "2026-11-21"],
    ["with a space for the T", "2026-11-21 09:30:00Z"],
    ["with a small t", "2026-11-21t09:30:00Z"],
    ["with a small z", "2026-11-21T09:30:00z"],
    ["with an offset without colon", "2026-11-21T09:30:00+0800"],
    ["with an offset of hours only", "2026-11-21T09:30:00+08"],
    ["beyond the widest offset", "2026-11-21T09:30:00+14:01"],
    ["with offset minutes beyond 59", "2026-11-21T09:30:00+08:60"],
    ["on 30 February", "2026-02-30T00:00:00Z"],
    ["on 29 February of a common year", "2026-02-29T00:00:00Z"],
    ["in month 13", "2026-13-01T00:00:00Z"],
    ["in month 0", "2026-00-01T00:00:00Z"],
    ["on day 0", "2026-01-00T00:00:00Z"],
    ["at 24:00", "2026-11-21T24:00:00Z"],
    ["at minute 60", "2026-11-21T09:60:00Z"],
    ["at a leap second", "2016-12-31T23:59:60Z"],
    ["in year 0", "0000-01-01T00:00:00Z"],
    ["in year 99, which a Date would take for 1999", "0099-01-01T00:00:00Z"],
    ["with a year of five digits", "+12026-01-01T00:00:00Z"],
    ["with a negative year", "-0001-01-01T00:00:00Z"],
    ["with ten digits of fraction", "2026-11-21T09:30:00.1234567890Z"],
    ["with a point and no fraction", "2026-11-21T09:30:00.Z"],
    ["as Unix seconds", "1795253400"],
    ["with something after it", "2026-11-21T09:30:00Z "],
    ["with a line break after it", "2026-11-21T09:30:00Z\n"],
    ["in full-width digits", "\uff12\uff10\uff12\uff16-11-21T09:30:00Z"],
    ["empty", ""],
  ])("%s", (_how, text) => {
    expect(parseInstant(text)).toBeNull();
  });
});

it("is written in UTC with milliseconds", () => {
  expect(formatInstant(new Date(0))).toBe("1970-01-01T00:00:00.000Z");
});
