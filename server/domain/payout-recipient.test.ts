// Tests when a saved recipient can be paid.
import { expect, it } from "vitest";
import { LONGEST_COOL_OFF_SECONDS, recipientObstacle } from "./payout-recipient";
import { after } from "./testing/samples";

const usableFrom = after(60_000);

it.each([
  ["during its cool-off", null, 59_999, "cooling_off"],
  ["at the end of its cool-off", null, 60_000, null],
  ["after its cool-off", null, 60_001, null],
  ["once it is removed, even during its cool-off", after(0), 0, "removed"],
  ["once it is removed", after(0), 90_000, "removed"],
] as const)("a recipient %s", (_when, removedAt, at, obstacle) => {
  expect(recipientObstacle({ removedAt, usableFrom }, after(at))).toBe(obstacle);
});

it("the longest cool-off is 30 days", () => {
  expect(LONGEST_COOL_OFF_SECONDS).toBe(2_592_000);
});
