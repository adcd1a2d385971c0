import fc from "fast-check";
import { expect, it } from "vitest";
import { nextPollAt } from "./polling";
import { after } from "./testing/samples";

const since = after(0);
const seconds = (from: number, at: Date) => (at.getTime() - after(from * 1000).getTime()) / 1000;

it.each([
  ["provider", 0, 0.5],
  ["provider", 5, 0.625],
  ["provider", 80, 10],
  ["provider", 7_200, 600],
  ["payer", 0, 15],
  ["payer", 40, 40],
  ["payer", 7_200, 600],
] as const)("while the %s is waited for and %d s have passed, the next look comes in %d s", (who, passed, expected) => {
  expect(seconds(passed, nextPollAt(after(passed * 1000), since, who, null))).toBe(expected);
});

it("is always ahead, and never after a deadline that is ahead, even when the clock has jumped back", () => {
  const ms = fc.integer({ min: -10_000_000, max: 10_000_000 });
  const who = fc.constantFrom("provider" as const, "payer" as const);
  const property = fc.property(ms, ms, ms, who, (now, still, deadline, waitingFor) => {
    const at = nextPollAt(after(now), after(still), waitingFor, after(deadline));
    expect(at.getTime()).toBeGreaterThan(after(now).getTime());
    expect(deadline > now && at.getTime() > after(deadline).getTime()).toBe(false);
  });
  fc.assert(property);
});
