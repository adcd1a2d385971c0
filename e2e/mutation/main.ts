// `npm run mutation -- [area or area/part…]`: mutates the sources and counts the mutants that no test notices.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Stryker } from "@stryker-mutator/core";
import { AREAS, type MutationPart } from "./areas";

/** Kept between runs, so that a run continues where the last one ended. */
const FOLDER = ".data/mutation";
const GOAL_PERCENT = 90;

const killed = new Map<string, number>();
const valid = new Map<string, number>();

interface Report {
  readonly files: Readonly<Record<string, { mutants: readonly { readonly status: string }[] }>>;
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

async function runPart(area: string, name: string, { mutate, tests }: MutationPart): Promise<void> {
  // The configuration of vitest reads it.
  process.env.MUTATION_TESTS = tests.join(" ");
  const file = join(FOLDER, `${area}-${name}`);
  forgetDoubtful(`${file}.json`);
  const mutants = await new Stryker({
    configFile: ".config/stryker.json",
    mutate: [...mutate],
    tempDirName: `${file}-sandbox`,
    incrementalFile: `${file}.json`,
    jsonReporter: { fileName: `${file}-report.json` },
  }).runMutationTest();
  const count = (...statuses: readonly string[]) => mutants.filter(({ status }) => statuses.includes(status)).length;
  // A mutant that lets no test file be loaded is a RuntimeError.
  const dead = count("Killed", "Timeout", "RuntimeError");
  killed.set(area, (killed.get(area) ?? 0) + dead);
  valid.set(area, (valid.get(area) ?? 0) + dead + count("Survived", "NoCoverage"));
}

const chosen = process.argv.slice(2);
for (const [area, parts] of Object.entries(AREAS)) {
  for (const [name, part] of Object.entries(parts)) {
    const isChosen = chosen.length === 0 || chosen.includes(area) || chosen.includes(`${area}/${name}`);
    if (isChosen) await runPart(area, name, part);
  }
}

for (const [area, all] of valid) {
  const dead = killed.get(area) ?? 0;
  const percent = (100 * dead) / all;
  process.stdout.write(`mutation: ${area} ${percent.toFixed(1)} % (${dead} of ${all} killed)\n`);
  if (percent < GOAL_PERCENT) process.exitCode = 1;
}
