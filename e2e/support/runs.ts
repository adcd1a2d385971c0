// Runs the test runners as npm scripts, with their output shown, and counts their reports.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nameFailures, type VitestFailures } from "./failures";
import { PROJECT_ROOT, type Variables } from "./service-process";
import { type PlaywrightReport, type Tally, tallyPlaywright, tallyVitest, type VitestReport } from "./tally";

const reports = mkdtempSync(join(tmpdir(), "sluice-reports-"));
const failures: string[] = [];
let running: ChildProcess | null = null;

/** Forwards signals to the running script. */
export function forwardSignals(): void {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => {
      running?.kill(signal);
      running?.once("exit", () => process.exit(1));
    });
  }
}

/** Runs a script of package.json, passes its lines to `onLine` and to our standard output. Returns its exit status. */
export async function npmRun(
  script: string,
  words: readonly string[] = [],
  variables: Variables = {},
  onLine?: (line: string) => void,
): Promise<number> {
  process.stdout.write(`\n▶ npm run ${script}\n`);
  const child = spawn("npm", ["run", "--silent", script, "--", ...words], {
    cwd: PROJECT_ROOT,
    env: { ...process.env, ...variables },
    stdio: ["ignore", onLine ? "pipe" : "inherit", "inherit"],
  });
  running = child;
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    process.stdout.write(text);
    for (const line of text.split("\n")) onLine?.(line);
  });
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

/** Runs vitest: all of its tests, or those that `words` choose. */
export async function runVitest(words: readonly string[] = [], variables: Variables = {}): Promise<Tally> {
  const report = join(reports, "vitest.json");
  const output = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const code = await npmRun("test:unit", [...output, ...words], variables);
  const read = readReport<VitestReport & VitestFailures>(report);
  failures.push(...nameFailures(read, PROJECT_ROOT.replace(/\/$/, "")));
  return tallyVitest(read, code);
}

/** Runs the specs on the production build: all of them, or those that `words` choose. */
export async function runPlaywright(words: readonly string[] = [], variables: Variables = {}): Promise<Tally> {
  const report = join(reports, "playwright.json");
  const output = ["--reporter=list,json", `--output=${join(reports, "results")}`];
  const code = await npmRun("test:e2e", [...output, ...words], { ...variables, PLAYWRIGHT_JSON_OUTPUT_FILE: report });
  return tallyPlaywright(readReport<PlaywrightReport>(report), code);
}

/** Removes the reports of a run without failures; names the failures of any other. */
export function closeReports({ failed }: Tally): void {
  if (failed === 0) return rmSync(reports, { recursive: true, force: true });
  const names = failures.map((name) => `✗ ${name}\n`).join("");
  process.stdout.write(`\n${names}Traces of failed specs: ${join(reports, "results")}\n`);
}
