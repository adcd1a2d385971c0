// The report of a run: results.json for programs, RESULTS.md for people.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Verdict, verdicts } from "./goals";
import type { Options } from "./options";
import type { Figure, Results } from "./results";
import type { Measured } from "./rounds";
import type { Surroundings } from "./surroundings";
import { digits, listed, table, whole } from "./text";

function goalRow({ goal, wanted, measured, met, beside }: Verdict): string[] {
  const verdict = met === null ? "not measured" : met ? "yes" : "**no**";
  return [goal, wanted, digits(measured, 2), verdict, beside];
}

/** Our rate against a contestant's in the same case at the same connections. */
function relativeToSluice(one: Measured, measured: readonly Measured[]): string {
  const [ours] = measured.filter(({ case: name, connections }) => name === one.case && connections === one.connections);
  return ours && ours !== one ? `${(ours.rate / one.rate).toFixed(2)} ×` : "";
}

function measuredRow(one: Measured, measured: readonly Measured[]): string[] {
  return [
    one.case,
    String(one.connections),
    one.contestant,
    whole(one.rate),
    `${Math.round(one.spread * 100)} %`,
    relativeToSluice(one, measured),
    digits(one.p50, 2),
    digits(one.p99, 2),
    whole(one.done),
    whole(one.failed),
    one.rows === null ? "–" : whole(one.rows),
    digits(one.cpuMsPerRequest, 3),
  ];
}

const COLUMNS = ["case", "connections", "who", "per second", "spread", "first ÷ this", "p50 ms", "p99 ms"];
const COUNTS = ["answered", "refused", "rows made", "CPU ms"];

function figureRow({ name, value, unit, note = "" }: Figure): string[] {
  const places = unit === "count" || unit === "per second" ? 0 : 2;
  return [name, `${places === 0 ? whole(value) : value.toFixed(places)}${unit === "count" ? "" : ` ${unit}`}`, note];
}

function wrongs({ failures, leftOut }: Results): string {
  const lines = [
    ...failures.map(({ what, message }) => `- **${what}** failed: ${message.split("\n")[0] ?? ""}`),
    ...leftOut.map((name) => `- **${name}** was left out: the run's time was over.`),
  ];
  return lines.length === 0 ? "" : `\n## What went wrong\n\n${lines.join("\n")}\n`;
}

/** The report for people. */
export function markdown(around: Surroundings, options: Options, results: Results): string {
  const { rounds, seconds, warmUpSeconds } = options.settings;
  const { measured, figures } = results;
  return `# What was measured

Written by \`npm run bench${options.isQuick ? " -- --quick" : ""}\`, which measures it anew. [docs/performance.md](../docs/performance.md) says what each case does and what each contestant leaves out.
${options.isQuick ? "\nA quick run, for trying: single short rounds, whose figures say little.\n" : ""}
- **When**: ${around.at}
- **Machine**: ${listed(around.machine)}; load, services and database share its cores
- **Versions**: ${listed(around.versions)}
- **Postgres**: ${listed(around.postgres)}
- **Rounds**: ${rounds} of ${seconds} s in turn (A B A B …) after ${warmUpSeconds} s of warm-up each; the figures are medians of the rounds, the spread is (largest − smallest) ÷ median
- **Rows at the end**: ${listed(around.rowsAtTheEnd)}
${wrongs(results)}
## Goals

A ratio is Sluice's rate divided by the other's in the same run.

${table(["goal", "wanted", "measured", "met", "what the comparison leaves out"], verdicts(results).map(goalRow))}

## Rates

"First ÷ this" is the rate of the case's first line divided by this one's. CPU is what the answering process has used for one answer.

${table(
  [...COLUMNS, ...COUNTS],
  measured.map((one) => measuredRow(one, measured)),
)}

## Single figures

${table(["what", "value", "note"], figures.map(figureRow))}
`;
}

/** Writes both files and prints the goals. A partial run must not replace the results of a complete one. */
export function writeReport(root: string, around: Surroundings, options: Options, results: Results): void {
  const folder = join(root, options.isQuick || options.only.length > 0 ? ".data/bench" : "bench");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "RESULTS.md"), markdown(around, options, results));
  const all = { ...around, ...options, goals: verdicts(results), ...results };
  writeFileSync(join(folder, "results.json"), `${JSON.stringify(all, null, 2)}\n`);
}

/** The goals as lines for the terminal. */
export function goalLines(results: Results): string {
  return verdicts(results)
    .map(({ goal, wanted, measured, met }) => {
      const mark = met === null ? "    " : met ? "met " : "MISS";
      return `${mark}  ${goal}: ${digits(measured, 2)} (${wanted})`;
    })
    .join("\n");
}
