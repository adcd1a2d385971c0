// Counts of addresses that belong to no member.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { AttemptLimit } from "@/server/db/sign-in-counts";
import { createStrangerLimit } from "./stranger-counts";

const START = Date.parse("2026-01-01T00:00:00Z");

let limit: AttemptLimit;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: START });
  limit = createStrangerLimit({ attempts: 2, windowMs: 60_000, capacity: 3 });
});
afterEach(() => {
  vi.useRealTimers();
});

it("random addresses do not evict a count whose pause has not ended", async () => {
  expect([await limit.take("v"), await limit.take("v"), await limit.take("v")]).toEqual([1, 2, null]);
  for (let n = 0; n < 1_000; n += 1) expect(await limit.take(`random-${n}`)).toBe(1);
  expect(await limit.take("v")).toBeNull();
});

it("rejects new addresses while all counts are paused, then makes room", async () => {
  for (const key of ["a", "a", "b", "b", "c", "c"]) await limit.take(key);
  expect(await limit.take("d")).toBeNull();
  vi.setSystemTime(START + 60_000);
  expect(await limit.take("d")).toBe(1);
});

it("pauses for a whole window after the last attempt", async () => {
  await limit.take("v");
  vi.setSystemTime(START + 50_000);
  expect(await limit.take("v")).toBe(2);
  vi.setSystemTime(START + 109_999);
  expect(await limit.take("v")).toBeNull();
  vi.setSystemTime(START + 110_000);
  expect(await limit.take("v")).toBe(1);
});
