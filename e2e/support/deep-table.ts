// The table of deep runs in docs/reliability.md: one row per part, replaced by each run.

export interface DeepRun {
  readonly part: string;
  /** What the result must reach. */
  readonly goal: string;
  readonly result: string;
  readonly isPassed: boolean;
  readonly minutes: number;
  readonly commit: string;
  /** Day of the run, `2026-11-22`. */
  readonly date: string;
  readonly machine: string;
  /** What adds up over all runs that passed, such as histories with new seeds. */
  readonly count?: number;
  /** What the count counts, such as `kills of Postgres`; by default what the part plays. */
  readonly counted?: string;
}

function rowOf({ part, goal, result, isPassed, minutes, commit, date, machine }: DeepRun): string {
  const cells = [part, goal, `${isPassed ? "✓" : "✗"} ${result}`, minutes.toFixed(1), commit, date, machine];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

interface Page {
  readonly head: readonly string[];
  readonly rows: readonly string[];
  readonly tail: readonly string[];
}

/** The page around the rows of its last table. */
function pageOf(page: string): Page {
  const lines = page.trimEnd().split("\n");
  const rule = lines.findLastIndex((line) => /^\|[ |-]+\|$/.test(line));
  if (rule === -1) throw new RangeError("the page has no table");
  const length = lines.slice(rule + 1).findIndex((line) => !line.startsWith("|"));
  const end = length === -1 ? lines.length : rule + 1 + length;
  return { head: lines.slice(0, rule + 1), rows: lines.slice(rule + 1, end), tail: lines.slice(end) };
}

const isOf = (part: string) => (row: string) => row.startsWith(`| ${part} |`);

const IN_ALL_RUNS = /; (\d+)(?: [^;|]+)? in all runs/;

/** The result with the sum over all runs that passed. */
function withSum(run: DeepRun, previous: string): DeepRun {
  if (run.count === undefined) return run;
  const before = Number(IN_ALL_RUNS.exec(previous)?.[1] ?? 0);
  const what = run.counted ? ` ${run.counted}` : "";
  return { ...run, result: `${run.result}; ${before + (run.isPassed ? run.count : 0)}${what} in all runs` };
}

/** The parts, first those that the table does not have, then by the day of their row. */
export function oldestFirst(page: string, parts: readonly string[]): readonly string[] {
  const { rows } = pageOf(page);
  const dayOf = (part: string) => rows.find(isOf(part))?.match(/\d{4}-\d{2}-\d{2}/)?.[0] ?? "";
  return parts.toSorted((a, b) => dayOf(a).localeCompare(dayOf(b)));
}

/** Puts the run's row into the last table of the page, sorted by part. */
export function withRun(page: string, run: DeepRun): string {
  const { head, rows, tail } = pageOf(page);
  const row = rowOf(withSum(run, rows.find(isOf(run.part)) ?? ""));
  const others = rows.filter((other) => !isOf(run.part)(other));
  return `${[...head, ...[...others, row].sort(), ...tail].join("\n")}\n`;
}
