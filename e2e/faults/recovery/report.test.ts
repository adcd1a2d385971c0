import { describe, expect, it } from "vitest";
import { percentile } from "../../support/statistics";
import { type Recoveries, reportOf } from "./report";

const FINE: Recoveries = {
  web: [900, 1_100, 1_000],
  postgres: [400, 600],
  workerKills: 2,
  worker: [120, 90, 200],
  writes: 1_234,
  lost: [],
  unresolved: [],
  others: [],
};

describe("the report of kills", () => {
  it("takes as a percentile what that share of the times does not exceed", () => {
    const times = Array.from({ length: 200 }, (_, n) => 200 - n);
    expect([0.5, 0.99, 1].map((share) => percentile(times, share))).toEqual([100, 198, 200]);
    expect(percentile([7], 0.99)).toBe(7);
    expect(percentile([], 0.5)).toBeNaN();
  });

  it("prints the kills of each kind with their times, and what was lost", () => {
    const { line, problems } = reportOf({ ...FINE, lost: ["a lost one"], unresolved: ["one", "two"] }, 7);
    expect(line).toBe(
      [
        "recovery: seed 7, 3 kills of the web process, back after p50 1000, p99 1100, worst 1100 ms",
        "2 kills of Postgres, back after p50 400, p99 600, worst 600 ms",
        "2 kills of workers, 3 claims taken over past their leases by p50 120, p99 200, worst 200 ms",
        "1234 writes, 1 acknowledged ones lost, 2 outcomes unresolved",
        "3 problems",
      ].join("; "),
    );
    expect(problems).toEqual(["a lost one", "one", "two"]);
  });

  it("has no problem when all goals are met", () => {
    expect(reportOf(FINE, 1).problems).toEqual([]);
  });

  it.each([
    [{ web: [2_001] }, "the p99 of the return after a kill of the web process is 2001 ms; the goal is 2000 ms"],
    [{ postgres: [5_001] }, "the p99 of the return after a kill of Postgres is 5001 ms; the goal is 5000 ms"],
    [{ worker: [1, 5_001] }, "the slowest takeover of a claim past its lease is 5001 ms; the goal is 5000 ms"],
  ])("names a goal that %j misses", (changes, problem) => {
    expect(reportOf({ ...FINE, ...changes }, 1).problems).toEqual([problem]);
  });

  it("forgives one slow return in a hundred, of a process and of Postgres", () => {
    const web = Array.from({ length: 100 }, (_, n) => (n === 50 ? 9_000 : 1_000));
    expect(reportOf({ ...FINE, web, postgres: web }, 1).problems).toEqual([]);
  });

  it("does not pass without kills", () => {
    expect(reportOf({ ...FINE, web: [], postgres: [], worker: [] }, 1).problems).toHaveLength(3);
  });
});
