import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { untilNextStep } from "./failure-time";

it.each([1, 30, 60])("a failure that took %i ms is not answered before 100 ms", async (ms) => {
  const startedAt = performance.now();
  await setTimeout(ms);
  await untilNextStep(startedAt);
  // A timer may fire a millisecond early.
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(98);
});
