import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { countTest } from "./test-limit";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
  // lru-cache never expires an entry that starts at 0; the clock of a running process is past that.
  vi.advanceTimersByTime(1);
});
afterEach(() => {
  vi.useRealTimers();
});

it("an endpoint cannot be tested more than six times a minute; others are not affected", () => {
  for (let n = 0; n < 6; n += 1) countTest("we_a");
  vi.advanceTimersByTime(20_000);
  expect(() => countTest("we_a")).toThrow(expect.objectContaining({ code: "rate_limited", retryAfterSeconds: 40 }));
  countTest("we_b");
  vi.advanceTimersByTime(40_001);
  countTest("we_a");
});
