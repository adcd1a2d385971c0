// Retry-After delays retries within bounds; invalid values have no effect.
import { expect, it } from "vitest";
import { readRetryAfter } from "./retry-after";

const AT = new Date("2026-11-21T09:30:00.000Z");
const DAY = 24 * 3_600_000;

it.each([
  ["0", 1_000],
  ["1", 1_000],
  ["120", 120_000],
  [" 120 ", 120_000],
  ["86400", DAY],
  ["86401", DAY],
  ["1000000000", DAY],
  ["9".repeat(400), DAY],
  ["Sat, 21 Nov 2026 09:30:00 GMT", 1_000],
  ["Sat, 21 Nov 2026 09:31:00 GMT", 60_000],
  ["Sat, 21 Nov 2099 09:30:00 GMT", DAY],
])("%s is %d ms", (value, ms) => expect(readRetryAfter(value, AT)).toBe(ms));

it.each([
  ["an absent one", undefined],
  ["an empty one", ""],
  ["a negative one", "-1"],
  ["a fraction", "1.5"],
  ["an exponent", "1e9"],
  ["a unit", "5s"],
  ["Infinity", "Infinity"],
  ["a word", "soon"],
  ["a date in the past", "Sat, 21 Nov 2026 09:29:59 GMT"],
  ["a date that does not exist", "Sat, 99 Xyz 2026 09:29:59 GMT"],
  ["a date of another form", "2099-01-01T00:00:00Z"],
  ["two of them", ["1", "2"]],
])("%s is ignored", (_name, value) => expect(readRetryAfter(value, AT)).toBeNull());
