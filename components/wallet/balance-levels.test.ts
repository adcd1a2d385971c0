import { expect, it } from "vitest";
import { extremesOf } from "./balance-levels";

const level = (day: string, closing: string) => ({ day, closing });

it("compares sums beyond the range of numbers, and takes the latest of equal days", () => {
  const huge = "100000000000000000000000000001";
  const levels = [
    level("1", "9"),
    level("2", huge),
    level("3", `${huge.slice(0, -1)}0`),
    level("4", huge),
    level("5", "9"),
  ];
  expect(extremesOf(levels)).toEqual({ lowest: level("5", "9"), highest: level("4", huge) });
  expect(extremesOf([])).toBeNull();
});
