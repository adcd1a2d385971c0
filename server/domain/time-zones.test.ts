import { expect, test } from "vitest";
import { isTimeZone } from "./time-zones";

test.each(["UTC", "America/Sao_Paulo", "Asia/Jakarta"])("%s is the name of a time zone", (name) => {
  expect(isTimeZone(name)).toBe(true);
});

test.each(["+03:00", "", "utc", "Mars/Olympus", "America/Sao_Paulo;", "constructor"])("%j is none", (name) => {
  expect(isTimeZone(name)).toBe(false);
});
