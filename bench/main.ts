// Entry of `npm run bench`: runs the sections in turn and writes the results after each. `life`, `growth`, `search`,
// `cells`, `moves` and `webhooks` are runs of their own.
import { PROJECT_ROOT } from "@/e2e/support/service-process";
import { type Bench, createBench, type Section } from "./bench";
import { runCells } from "./cells/run";
import { runGrowth } from "./growth/run";
import { runLife } from "./life/run";
import { runMoves } from "./moves/run";
import { type Options, readOptions } from "./options";
import { goalLines, writeReport } from "./report";
import { noResults, type Results } from "./results";
import { messageOf } from "./rounds";
import { runSearch } from "./search/run";
import { SECTIONS } from "./sections";
import { setStage } from "./stage";
import { surroundings } from "./surroundings";
import { runWebhooks } from "./webhooks/run";

function chosenSections({ only }: Options): readonly Section[] {
  const unknown = only.filter((name) => !SECTIONS.some((section) => section.name === name));
  const names = SECTIONS.map(({ name }) => name).join(", ");
  if (unknown.length > 0) throw new TypeError(`There is no section ${unknown.join(", ")}; there are ${names}.`);
  return SECTIONS.filter(({ name }) => only.length === 0 || only.includes(name));
}

/** Runs one section. An error is recorded with the results so far. */
async function runSection(section: Section, bench: Bench, results: Results): Promise<void> {
  const from = performance.now();
  process.stdout.write(`\n— ${section.name}\n`);
  try {
    await section.run(bench);
  } catch (error) {
    results.failures.push({ what: section.name, message: messageOf(error) });
    process.stderr.write(`${section.name} FAILED: ${messageOf(error)}\n`);
  }
  process.stdout.write(`— ${section.name} took ${((performance.now() - from) / 1_000).toFixed(1)} s\n`);
}

async function runSections(options: Options, sections: readonly Section[], results: Results): Promise<void> {
  const stage = await setStage(options);
  const bench = createBench(stage, options, results);
  try {
    for (const figure of stage.starts) bench.note(figure);
    for (const section of sections) {
      if (performance.now() > options.lastStartSeconds * 1_000) results.leftOut.push(section.name);
      else await runSection(section, bench, results);
      writeReport(PROJECT_ROOT, await surroundings(stage, PROJECT_ROOT), options, results);
    }
  } finally {
    await bench.close();
    await stage.close();
  }
}

if (process.argv[2] === "cells") process.exit(await runCells(process.argv.slice(3)));
if (process.argv[2] === "life") process.exit(await runLife(process.argv.slice(3)));
if (process.argv[2] === "growth") process.exit(await runGrowth(process.argv.slice(3)));
if (process.argv[2] === "moves") process.exit(await runMoves(process.argv.slice(3)));
if (process.argv[2] === "webhooks") process.exit(await runWebhooks(process.argv.slice(3)));
if (process.argv[2] === "search") process.exit(await runSearch(process.argv.slice(3)));

const results = noResults();
try {
  const options = readOptions(process.argv.slice(2));
  await runSections(options, chosenSections(options), results);
} catch (error) {
  results.failures.push({ what: "the run", message: messageOf(error) });
}
process.stdout.write(`\n${goalLines(results)}\n`);
for (const { what, message } of results.failures) process.stderr.write(`FAILED ${what}: ${message}\n`);
process.exit(results.failures.length > 0 ? 1 : 0);
