// The breaker opens only after consecutive faults, allows one trial call, and closes when that is answered.
import { describe, expect, it } from "vitest";
import { type Breaker, type BreakerState, createBreaker, FAULTS_TO_OPEN } from "./breaker";

const PAUSE = 15_000;

function fail(breaker: Breaker, times: number, now = 0): void {
  for (let n = 0; n < times; n += 1) {
    breaker.begin(now);
    breaker.fail(now);
  }
}

function opened(): { breaker: Breaker; turns: string[] } {
  const turns: string[] = [];
  const breaker = createBreaker((state) => turns.push(state));
  fail(breaker, FAULTS_TO_OPEN);
  return { breaker, turns };
}

describe("a breaker", () => {
  it("opens after that many consecutive faults and not before; an answer resets the count", () => {
    const breaker = createBreaker();
    fail(breaker, FAULTS_TO_OPEN - 1);
    breaker.succeed();
    fail(breaker, FAULTS_TO_OPEN - 1);
    expect(breaker.state(0)).toBe("closed");
    fail(breaker, 1);
    expect(breaker.state(0)).toBe("open");
  });

  it("allows one trial after the pause and counts as open during it", () => {
    const { breaker } = opened();
    expect([PAUSE - 1, PAUSE].map((at) => breaker.state(at))).toEqual(["open", "half_open"]);
    breaker.begin(PAUSE);
    expect(breaker.state(PAUSE)).toBe("open");
  });

  it("closes when the trial is answered, and reports that once", () => {
    const { breaker, turns } = opened();
    breaker.begin(PAUSE);
    breaker.succeed();
    breaker.succeed();
    expect(breaker.state(PAUSE)).toBe("closed");
    expect(turns).toEqual(["open", "closed"]);
  });

  it("opens again when the trial fails, each time for twice as long, up to five minutes", () => {
    const { breaker } = opened();
    let now = PAUSE;
    const pauses: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      fail(breaker, 1, now);
      const from = now;
      while (breaker.state(now) === "open") now += 1_000;
      pauses.push(now - from);
    }
    expect(pauses).toEqual([30_000, 60_000, 120_000, 240_000, 300_000, 300_000]);
  });

  it("does not stay open because of calls in flight when it opened", () => {
    const { breaker } = opened();
    breaker.fail(PAUSE - 1);
    expect(breaker.state(PAUSE)).toBe("half_open");
  });

  it("allows another trial when a trial was never answered", () => {
    const { breaker } = opened();
    breaker.begin(PAUSE);
    const states: BreakerState[] = [PAUSE + 59_999, PAUSE + 60_000].map((at) => breaker.state(at));
    expect(states).toEqual(["open", "half_open"]);
  });
});
