import { expect, it } from "vitest";
import { parseInstant, toWireInstant } from "./instants";

it.each([
  ["2026-11-21 23:45:00.123+00", "2026-11-21T23:45:00.123Z"],
  ["2026-11-21 23:45:00.12+00", "2026-11-21T23:45:00.120Z"],
  ["2026-11-21 23:45:00.1+00", "2026-11-21T23:45:00.100Z"],
  ["2026-11-21 23:45:00+00", "2026-11-21T23:45:00.000Z"],
  ["2026-11-22 01:45:00.05+02", "2026-11-21T23:45:00.050Z"],
  ["2026-11-22 05:15:00+05:30", "2026-11-21T23:45:00.000Z"],
])("reads %s", (text, wire) => {
  expect(parseInstant(text).toISOString()).toBe(wire);
  expect(toWireInstant(text)).toBe(wire);
});
