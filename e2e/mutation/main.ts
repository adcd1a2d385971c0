// `npm run mutation -- [area or area/part…]`: mutates the sources and counts the mutants that no test notices.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AREAS, type MutationPart } from "./areas";

/** Kept between runs, so that a run continues where the last one ended. */
const FOLDER = ".data/mutation";
const GOAL_PERCENT = 90;

/** A package of its own, so that nobody else installs the 120 packages of Stryker. */
const TOOLS = "e2e/mutation";

const killed = new Map<string, number>();
const valid = new Map<string, number>();

/** A part runs this often at most, until each survivor was tried. */
const MOST_RUNS = 3;

interface Mutant {
  readonly status: string;
  readonly testsCompleted?: number;
}

interface Report {
  readonly files: Readonly<Record<string, { mutants: readonly Mutant[] }>>;
}

/**
 * Forgets the mutants of the last run that survived or ran out of time. Stryker tries again only those whose tests it finds
 * changed, and misses some; and a busy machine may have been the reason for a timeout.
 */
function forgetDoubtful(reportFile: string): void {
  if (!existsSync(reportFile)) return;
  const report = JSON.parse(readFileSync(reportFile, "utf8")) as Report;
  for (const file of Object.values(report.files)) {
    file.mutants = file.mutants.filter(({ status }) => !["Survived", "NoCoverage", "Timeout"].includes(status));
  }
  writeFileSync(reportFile, JSON.stringify(report));
}

/**
 * True for a mutant that counts as a survivor although none of its tests ran: Vitest ends a run at the first failure, and on a
 * busy machine that end can reach the run of the next mutant.
 */
function wasUntried({ status, testsCompleted }: Mutant): boolean {
  return status === "Survived" && testsCompleted === 0;
}

/** Runs a program with our output and input. Throws if it fails. */
function run(program: string, ...words: readonly string[]): void {
  const { status, error } = spawnSync(program, words, { stdio: "inherit" });
  if (status !== 0) throw error ?? new Error(`${program} ${words.join(" ")} failed with ${String(status)}`);
}

/** Installs Stryker, unless what its lock file names is installed. */
function installTools(): void {
  const [lock, installed] = [join(TOOLS, "package-lock.json"), join(TOOLS, "node_modules", ".package-lock.json")];
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  // Vitest, which Stryker's runner wants as a peer, is the project's own.
  run("npm", "ci", "--prefix", TOOLS, "--legacy-peer-deps", "--ignore-scripts");
}

function runPart(area: string, name: string, { mutate, tests }: MutationPart): void {
  // The configuration of vitest reads it.
  process.env.MUTATION_TESTS = tests.join(" ");
  const file = join(FOLDER, `${area}-${name}`);
  const [settings, report] = [`${file}-settings.json`, `${file}-report.json`];
  const common = JSON.parse(readFileSync(".config/stryker.json", "utf8")) as object;
  const own = {
    mutate,
    tempDirName: `${file}-sandbox`,
    incrementalFile: `${file}.json`,
    jsonReporter: { fileName: report },
  };
  writeFileSync(settings, JSON.stringify({ ...common, ...own }));
  let mutants: readonly Mutant[] = [];
  for (let runs = 0; runs < MOST_RUNS && (runs === 0 || mutants.some(wasUntried)); runs += 1) {
    forgetDoubtful(`${file}.json`);
    run(process.execPath, join(TOOLS, "node_modules/@stryker-mutator/core/bin/stryker.js"), "run", settings);
    const { files } = JSON.parse(readFileSync(report, "utf8")) as Report;
    mutants = Object.values(files).flatMap((one) => one.mutants);
  }
  const count = (...statuses: readonly string[]) => mutants.filter(({ status }) => statuses.includes(status)).length;
  // A mutant that lets no test file be loaded is a RuntimeError.
  const dead = count("Killed", "Timeout", "RuntimeError");
  killed.set(area, (killed.get(area) ?? 0) + dead);
  valid.set(area, (valid.get(area) ?? 0) + dead + count("Survived", "NoCoverage"));
}

installTools();
mkdirSync(FOLDER, { recursive: true });
const chosen = process.argv.slice(2);
for (const [area, parts] of Object.entries(AREAS)) {
  for (const [name, part] of Object.entries(parts)) {
    const isChosen = chosen.length === 0 || chosen.includes(area) || chosen.includes(`${area}/${name}`);
    if (isChosen) runPart(area, name, part);
  }
}

for (const [area, all] of valid) {
  const dead = killed.get(area) ?? 0;
  const percent = (100 * dead) / all;
  process.stdout.write(`mutation: ${area} ${percent.toFixed(1)} % (${dead} of ${all} killed)\n`);
  if (percent < GOAL_PERCENT) process.exitCode = 1;
}
