import { expect, it } from "vitest";
import { readDuration } from "./duration-option";

it.each([
  ["1s", 1],
  ["90s", 90],
  ["15m", 900],
  ["25h", 90_000],
  ["400d", 34_560_000],
])("%s is %i seconds", (text, seconds) => {
  expect(readDuration("by", text)).toBe(seconds);
});

it.each(["", "25", "h", "0s", "-1h", "1.5h", "25H", "25 h", "1h30m", "01h", "1e3s", "9999999999s"])(
  "%j is rejected, naming the option",
  (text) => {
    expect(() => readDuration("by", text)).toThrow(/^by must be a whole number with a unit/);
  },
);
