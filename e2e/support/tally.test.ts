// Tests that the sum of a run never looks better than the run.
import { describe, expect, it } from "vitest";
import { sum, summaryLine, tallyPlaywright, tallyStep, tallyVitest, type VitestReport } from "./tally";

const vitest: VitestReport = {
  numPassedTests: 5,
  numFailedTests: 0,
  numPendingTests: 1,
  numTodoTests: 1,
  testResults: [{ status: "passed", assertionResults: [{}] }],
};
const stats = { expected: 7, unexpected: 0, flaky: 0, skipped: 2 };

describe("vitest", () => {
  it("counts passed and skipped tests", () => {
    expect(tallyVitest(vitest, 0)).toEqual({ passed: 5, failed: 0, skipped: 2 });
  });

  it("counts failed tests, and files that failed before their tests", () => {
    const testResults = [
      { status: "failed", assertionResults: [] },
      { status: "failed", assertionResults: [{}] },
    ];
    expect(tallyVitest({ ...vitest, numFailedTests: 1, testResults }, 1).failed).toBe(2);
  });

  it("an exit status other than 0 is a failure even when no test failed", () => {
    expect(tallyVitest(vitest, 1).failed).toBe(1);
  });

  it("no report is a failure, whatever the exit status", () => {
    expect(tallyVitest(null, 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });
});

describe("playwright", () => {
  it("counts passed and skipped tests", () => {
    expect(tallyPlaywright({ stats, errors: [] }, 0)).toEqual({ passed: 7, failed: 0, skipped: 2 });
  });

  it("counts failures, tests that needed a second try, and errors outside tests", () => {
    const unhappy = { ...stats, unexpected: 2, flaky: 1 };
    expect(tallyPlaywright({ stats: unhappy, errors: [{}] }, 1).failed).toBe(4);
  });

  it("an exit status other than 0, or no report, is a failure", () => {
    expect(tallyPlaywright({ stats, errors: [] }, 1).failed).toBe(1);
    expect(tallyPlaywright(null, 0).failed).toBe(1);
  });
});

it("a step is one test", () => {
  expect(tallyStep(0)).toEqual({ passed: 1, failed: 0, skipped: 0 });
  expect(tallyStep(2)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

it("the last line names skipped tests only when there are any", () => {
  expect(summaryLine(sum([tallyStep(0), tallyStep(0), tallyStep(1)]))).toBe("2 passed, 1 failed");
  expect(summaryLine(sum([tallyVitest(vitest, 0)]))).toBe("5 passed, 0 failed, 2 skipped");
});
