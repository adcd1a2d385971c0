// `npm run test:deep -- <part>`: plays a part's full product of setups, and records the result in docs/deep-tests.md.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { type DeepRun, withRun } from "./support/deep-table";
import { closeReports, forwardSignals, npmRun, runPlaywright, runVitest } from "./support/runs";
import { PROJECT_ROOT } from "./support/service-process";
import { sum, summaryLine, type Tally, tallyStep } from "./support/tally";

const DEEP = { TEST_TIER: "deep" };

interface Result {
  readonly tally: Tally;
  /** What the table shows. */
  readonly text: string;
}

async function counted(run: Promise<Tally>): Promise<Result> {
  const tally = await run;
  return { tally, text: summaryLine(tally) };
}

/** Runs specs on a new build. */
async function specs(...words: readonly string[]): Promise<Tally> {
  const build = tallyStep(await npmRun("build"));
  return build.failed > 0 ? build : runPlaywright(words, DEEP);
}

/** Runs a script that prints its own counts; the table shows the lines that match. */
async function script(name: string, words: readonly string[], shown: RegExp): Promise<Result> {
  const lines: string[] = [];
  const code = await npmRun(name, words, DEEP, (line) => shown.test(line) && lines.push(line.trim()));
  return { tally: tallyStep(code), text: lines.join("; ") };
}

/** The same on a new build. */
async function scriptOnBuild(name: string, words: readonly string[], shown: RegExp): Promise<Result> {
  const build = tallyStep(await npmRun("build"));
  const played = await script(name, words, shown);
  return { ...played, tally: sum([build, played.tally]) };
}

/** The specs that check pages and dialogs against WCAG. */
const WITH_ACCESSIBILITY = ["accessibility", "one-time-codes", "payer-page", "reconciliation", "sign-in"];

const PARTS: Readonly<Record<string, () => Promise<Result>>> = {
  accessibility: () => counted(specs("--project=dashboard", ...WITH_ACCESSIBILITY)),
  faults: () => counted(specs("--project=rest", "faults/")),
  floods: () => scriptOnBuild("floods", [], /^floods: /),
  kills: () => counted(runVitest(["--project=db", "kill.db.test.ts"], DEEP)),
  postgres: () => scriptOnBuild("faults:postgres", [], /^postgres: /),
  races: () => counted(runVitest(["--project=db", "server/services/races", "gate-races"], DEEP)),
  model: () => scriptOnBuild("model", ["--deep"], /^(domain|over HTTP): /),
  wire: () => scriptOnBuild("faults", [], /^faults: /),
  zoo: () => script("zoo", [], /planted bugs/),
};

const git = (...words: readonly string[]) => execFileSync("git", words, { cwd: PROJECT_ROOT, encoding: "utf8" }).trim();

const [part = ""] = process.argv.slice(2);
const play = PARTS[part];
if (!play) {
  process.stderr.write(`npm run test:deep -- <part>, one of: ${Object.keys(PARTS).join(", ")}\n`);
  process.exit(2);
}

forwardSignals();
const startedAt = performance.now();
const { tally, text } = await play();
closeReports(tally);
const run: DeepRun = {
  part,
  result: text,
  isPassed: tally.failed === 0 && tally.passed > 0,
  minutes: (performance.now() - startedAt) / 60_000,
  commit: git("rev-parse", "--short", "HEAD"),
  date: new Date().toISOString().slice(0, 10),
  machine: `${cpus().length} × ${cpus()[0]?.model ?? "unknown"}`,
};
const path = join(PROJECT_ROOT, "docs/deep-tests.md");
writeFileSync(path, withRun(readFileSync(path, "utf8"), run));
process.stdout.write(`\n${summaryLine(tally)}\n`);
process.exit(run.isPassed ? 0 : 1);
