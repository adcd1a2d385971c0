// Tests that the time of a failed sign-in reveals nothing but a number of whole steps.
import { setTimeout } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { untilNextStep } from "./failure-time";

vi.mock("node:timers/promises", async (original) => {
  const real = await original<{ setTimeout: typeof setTimeout }>();
  return { ...real, setTimeout: vi.fn<typeof setTimeout>(real.setTimeout) };
});

it.each([1, 30, 60])("a failure that took %i ms is not answered before 100 ms", async (ms) => {
  const startedAt = performance.now();
  await setTimeout(ms);
  await untilNextStep(startedAt);
  // A timer may fire a millisecond early.
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(98);
});

it.each([
  [1, 99],
  [99, 1],
  [100, 0],
  [130, 70],
  [201, 99],
])("a failure that took %i ms waits for %i ms more", async (elapsed, wait) => {
  vi.mocked(setTimeout).mockClear();
  const clock = vi.spyOn(performance, "now").mockReturnValue(5_000 + elapsed);
  await untilNextStep(5_000);
  clock.mockRestore();
  expect(vi.mocked(setTimeout).mock.calls).toEqual([[wait]]);
});
