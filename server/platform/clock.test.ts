import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { clockAgeMs, clockFrom, noteDatabaseTime, now } from "./clock";

/** The database's time when the test's timer is 0. */
const START = Date.UTC(2026, 10, 21);

beforeEach(() => {
  delete (globalThis as { sluiceClocks?: unknown }).sluiceClocks;
  vi.useFakeTimers({ toFake: ["Date", "performance"], now: START });
});
afterEach(() => {
  vi.useRealTimers();
  delete (globalThis as { sluiceClocks?: unknown }).sluiceClocks;
});

/** Advances the timer without changing the machine's clock. */
function pass(ms: number): void {
  const machine = Date.now();
  vi.advanceTimersByTime(ms);
  vi.setSystemTime(machine);
}

/** Records an answer that took `ms` and read the time after `share` of that. */
function hear(ms: number, share: number, database = START): void {
  const askedAt = performance.now();
  pass(ms);
  noteDatabaseTime(database + askedAt + ms * share, askedAt, performance.now());
}

/** Returns how far the clock is ahead of the database's, in ms. */
const ahead = (database = START) => now().getTime() - (database + performance.now());

describe("now", () => {
  it("is the machine's time only until the first reading of the database's", () => {
    vi.setSystemTime(START + 25 * 3_600_000);
    expect([now().getTime(), clockAgeMs()]).toEqual([START + 25 * 3_600_000, Number.POSITIVE_INFINITY]);
    hear(0, 0);
    expect([ahead(), clockAgeMs()]).toEqual([0, 0]);
  });

  it("ignores a change of the machine's clock", () => {
    hear(0, 0);
    for (const hours of [25, -25]) {
      vi.setSystemTime(START + hours * 3_600_000);
      pass(1_000);
      expect(ahead()).toBe(0);
    }
  });

  it("is never ahead of the database, and behind by at most the duration of the quickest answer", () => {
    hear(1_000, 1);
    expect(ahead()).toBe(0);
    hear(1_000, 0);
    expect(ahead()).toBeLessThanOrEqual(0);
    expect(ahead()).toBeGreaterThan(-2);
    hear(10, 0.5);
    expect(ahead()).toBeLessThanOrEqual(0);
    expect(ahead()).toBeGreaterThan(-6);
  });

  it("follows a database clock set forward at once, and one set far back", () => {
    hear(2, 0.5);
    hear(2, 0.5, START + 3_600_000);
    expect(ahead(START + 3_600_000)).toBe(-1);
    hear(2, 0.5, START - 3_600_000);
    expect(ahead(START - 3_600_000)).toBe(-1);
  });

  it("stops during a small step back instead of following it", () => {
    hear(0, 0);
    const before = now().getTime();
    hear(0, 0, START - 2_000);
    expect(now().getTime()).toBe(before);
    pass(3_000);
    expect(now().getTime()).toBe(before + 1_000);
  });
});

it("a clock started from an instant advances by the timer, independent of the machine's clock", () => {
  const clock = clockFrom(new Date(START + 5));
  pass(1_000);
  vi.setSystemTime(START - 3_600_000);
  expect(clock().getTime()).toBe(START + 1_005);
});
