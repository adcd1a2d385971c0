// `npm test`: every check of the project in one run, streamed, counted, and summed up in the last line.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nameFailures, type VitestFailures } from "./support/failures";
import { PROJECT_ROOT, type Variables } from "./support/service-process";
import {
  type PlaywrightReport,
  sum,
  summaryLine,
  type Tally,
  tallyPlaywright,
  tallyStep,
  tallyVitest,
  type VitestReport,
} from "./support/tally";

const reports = mkdtempSync(join(tmpdir(), "sluice-reports-"));
const failures: string[] = [];
let running: ChildProcess | null = null;

/** Runs a script of package.json with our standard output, and returns its exit status. */
async function npmRun(script: string, words: readonly string[] = [], variables: Variables = {}): Promise<number> {
  process.stdout.write(`\n▶ npm run ${script}\n`);
  const child = spawn("npm", ["run", "--silent", script, "--", ...words], {
    cwd: PROJECT_ROOT,
    env: { ...process.env, ...variables },
    stdio: ["ignore", "inherit", "inherit"],
  });
  running = child;
  return new Promise((resolve, reject) => {
    child.once("error", reject).once("exit", (code) => resolve(code ?? 1));
  });
}

function readReport<Report>(path: string): Report | null {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Report;
  } catch {
    return null;
  }
}

async function unitTests(): Promise<Tally> {
  const report = join(reports, "vitest.json");
  const code = await npmRun("test:unit", ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`]);
  const read = readReport<VitestReport & VitestFailures>(report);
  failures.push(...nameFailures(read, PROJECT_ROOT.replace(/\/$/, "")));
  return tallyVitest(read, code);
}

async function specs(): Promise<Tally> {
  const report = join(reports, "playwright.json");
  const output = ["--reporter=list,json", `--output=${join(reports, "results")}`];
  const code = await npmRun("test:e2e", output, { PLAYWRIGHT_JSON_OUTPUT_FILE: report });
  return tallyPlaywright(readReport<PlaywrightReport>(report), code);
}

/** The build runs first: it generates the types of routes, and the specs run on it. It counts only if it fails. */
async function runAll(): Promise<Tally> {
  const build = await npmRun("build");
  const tallies = [
    ...(build === 0 ? [] : [tallyStep(build)]),
    tallyStep(await npmRun("typecheck")),
    tallyStep(await npmRun("lint")),
    await unitTests(),
    ...(build === 0 ? [await specs()] : []),
  ];
  return sum(tallies);
}

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.once(signal, () => {
    running?.kill(signal);
    running?.once("exit", () => process.exit(1));
  });
}

const total = await runAll();
if (total.failed === 0) rmSync(reports, { recursive: true, force: true });
else
  process.stdout.write(
    `\n${failures.map((name) => `✗ ${name}\n`).join("")}Traces of failed specs: ${join(reports, "results")}\n`,
  );
process.stdout.write(`\n${summaryLine(total)}\n`);
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1);
