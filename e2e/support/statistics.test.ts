import { expect, it } from "vitest";
import { median } from "./statistics";

it("the median is the middle value, and the mean of two if there is no middle", () => {
  expect(median([9, 1, 4])).toBe(4);
  expect(median([9, 1, 4, 2])).toBe(3);
});
