// The breaker: it opens on faults in a row alone, lets one call try, and closes when that is answered.
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
  it("opens on that many faults in a row and not before; an answer starts the count anew", () => {
    const breaker = createBreaker();
    fail(breaker, FAULTS_TO_OPEN - 1);
    breaker.succeed();
    fail(breaker, FAULTS_TO_OPEN - 1);
    expect(breaker.state(0)).toBe("closed");
    fail(breaker, 1);
    expect(breaker.state(0)).toBe("open");
  });

  it("lets one call try after the pause; while that is under way it counts as open", () => {
    const { breaker } = opened();
    expect([PAUSE - 1, PAUSE].map((at) => breaker.state(at))).toEqual(["open", "half_open"]);
    breaker.begin(PAUSE);
    expect(breaker.state(PAUSE)).toBe("open");
  });

  it("closes when the trial is answered, and says so once", () => {
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

  it("is not kept open by calls that were under way when it opened", () => {
    const { breaker } = opened();
    breaker.fail(PAUSE - 1);
    expect(breaker.state(PAUSE)).toBe("half_open");
  });

  it("allows another trial when the answer to one never came", () => {
    const { breaker } = opened();
    breaker.begin(PAUSE);
    const states: BreakerState[] = [PAUSE + 59_999, PAUSE + 60_000].map((at) => breaker.state(at));
    expect(states).toEqual(["open", "half_open"]);
  });
});
