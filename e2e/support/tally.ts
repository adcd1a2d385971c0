// Counts a test run: the sum of the runners' reports, which never looks better than the run.

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The part of vitest's JSON report that is counted. */
export interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[];
}

/** The part of Playwright's JSON report that is counted. */
export interface PlaywrightReport {
  readonly stats: {
    readonly expected: number;
    readonly unexpected: number;
    readonly flaky: number;
    readonly skipped: number;
  };
  readonly errors: readonly unknown[];
}

/** A step that passes or fails as a whole: one test. */
export function tallyStep(exitCode: number): Tally {
  return { passed: exitCode === 0 ? 1 : 0, failed: exitCode === 0 ? 0 : 1, skipped: 0 };
}

/** A runner that failed without a failed test (a fault outside of tests, no report at all) counts as one failure. */
function withUncounted(tally: Tally, exitCode: number): Tally {
  return exitCode !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally;
}

const NOTHING: Tally = { passed: 0, failed: 0, skipped: 0 };

/** Counts a vitest run; a file that failed before its tests is one failure. `report` is null if none was written. */
export function tallyVitest(report: VitestReport | null, exitCode: number): Tally {
  if (!report) return withUncounted(NOTHING, exitCode || 1);
  const broken = report.testResults.filter(({ status, assertionResults }) => {
    return status === "failed" && assertionResults.length === 0;
  });
  const failed = report.numFailedTests + broken.length;
  const skipped = report.numPendingTests + report.numTodoTests;
  return withUncounted({ passed: report.numPassedTests, failed, skipped }, exitCode);
}

/** Counts a Playwright run; a test that passed only on retry counts as failed. `report` is null if none was written. */
export function tallyPlaywright(report: PlaywrightReport | null, exitCode: number): Tally {
  if (!report) return withUncounted(NOTHING, exitCode || 1);
  const { expected, unexpected, flaky, skipped } = report.stats;
  return withUncounted({ passed: expected, failed: unexpected + flaky + report.errors.length, skipped }, exitCode);
}

export function sum(tallies: readonly Tally[]): Tally {
  return tallies.reduce(
    (total, { passed, failed, skipped }) => ({
      passed: total.passed + passed,
      failed: total.failed + failed,
      skipped: total.skipped + skipped,
    }),
    NOTHING,
  );
}

/** The last line of a run. */
export function summaryLine({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
