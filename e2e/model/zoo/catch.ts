// Runs the test that must catch a planted bug, in the scratch copy.
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { promisify } from "node:util";
import type { Catcher, Patch } from "./patch";
import type { Scratch } from "./scratch";

const run = promisify(execFile);
const MAXIMUM_OUTPUT = 64 * 1024 * 1024;
/** Histories of one kind: a planted bug that needs more to show is too rare for the model. */
const HISTORIES = 3_000;
/** Characters of a test's name, so that the reason of its failure is seen too. */
const LONGEST_NAME = 90;

export interface Caught {
  readonly isCaught: boolean;
  /** What caught it, or why nothing did. */
  readonly by: string;
  readonly seconds: number;
}

async function byModel(root: string, kind: string): Promise<Omit<Caught, "seconds">> {
  const worker = join(root, "e2e/model/domain-driver/worker.ts");
  const words = ["--import", "tsx", worker, "1", "1", "1", String(HISTORIES), kind];
  const { stdout } = await run(process.execPath, words, { cwd: root, maxBuffer: MAXIMUM_OUTPUT });
  const { failures } = JSON.parse(stdout) as { failures: { violations: string[] }[] };
  const [first] = failures;
  return { isCaught: first !== undefined, by: `model, ${kind}: ${first?.violations[0] ?? "no violation"}` };
}

interface TestResult {
  readonly status: string;
  readonly fullName: string;
  readonly failureMessages?: readonly string[];
}

interface TestReport {
  readonly testResults: readonly {
    readonly status?: string;
    /** Why the file failed apart from its tests: it could not be loaded, or a hook of the file threw. */
    readonly message?: string;
    readonly assertionResults: readonly TestResult[];
  }[];
}

/** How a test fails on a machine that is too busy, with a bug or without one. */
const TOO_LATE = /timed out|connection timeout|terminated unexpectedly|timeout exceeded/i;

/**
 * Returns what a run of these tests says about a planted bug. A test must fail, and not because it took too long; a file that
 * cannot be loaded or set up catches nothing.
 */
export function verdictOf({ testResults }: TestReport, tests: readonly string[]): Omit<Caught, "seconds"> {
  const failed = testResults.flatMap((file) => file.assertionResults).find(({ status }) => status === "failed");
  const broken = testResults.find(({ status }) => status === "failed");
  if (!failed && broken) return { isCaught: false, by: `a test file did not run: ${broken.message?.split("\n")[0]}` };
  if (!failed) return { isCaught: false, by: `no failing test in ${tests.join(", ")}` };
  const why = failed.failureMessages?.join("; ") ?? "";
  return { isCaught: !TOO_LATE.test(why), by: `${failed.fullName.slice(0, LONGEST_NAME)}: ${why.split("\n")[0]}` };
}

async function byTests(root: string, project: string, tests: readonly string[]): Promise<Omit<Caught, "seconds">> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-zoo-report-"));
  const report = join(folder, "report.json");
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const options = ["--project", `${project}*`, "--bail", "1", "--reporter=json", `--outputFile=${report}`];
  try {
    const words = [vitest, "run", "--config", ".config/vitest.ts", ...options, ...tests];
    // The checks of `npm test` have to catch it. Nobody reads the smallest example, and to look for it takes minutes.
    const env = { ...process.env, TEST_TIER: "representative", SHRINK: "no" };
    await run(process.execPath, words, { cwd: root, maxBuffer: MAXIMUM_OUTPUT, env }).catch(() => null);
    return verdictOf(JSON.parse(readFileSync(report, "utf8")) as TestReport, tests);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function catchWith(root: string, catcher: Catcher): Promise<Omit<Caught, "seconds">> {
  return "model" in catcher ? byModel(root, catcher.model) : byTests(root, catcher.project, catcher.tests);
}

/** Plants the bug and runs its catcher; without a patch, the catcher on the sound copy. */
export async function tryToCatch(scratch: Scratch, catcher: Catcher, patch: Patch | null): Promise<Caught> {
  const startedAt = performance.now();
  const work = () => catchWith(scratch.root, catcher);
  const caught = await (patch ? scratch.withPatch(patch, work) : work());
  return { ...caught, seconds: (performance.now() - startedAt) / 1_000 };
}
