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
}

function rowOf({ part, goal, result, isPassed, minutes, commit, date, machine }: DeepRun): string {
  const cells = [part, goal, `${isPassed ? "✓" : "✗"} ${result}`, minutes.toFixed(1), commit, date, machine];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

function tableOf(page: string): { readonly head: readonly string[]; readonly rows: readonly string[] } {
  const lines = page.trimEnd().split("\n");
  const rule = lines.findLastIndex((line) => /^\|[ |-]+\|$/.test(line));
  if (rule === -1) throw new RangeError("the page has no table");
  return { head: lines.slice(0, rule + 1), rows: lines.slice(rule + 1) };
}

/** The parts, first those that the table does not have, then by the day of their row. */
export function oldestFirst(page: string, parts: readonly string[]): readonly string[] {
  const { rows } = tableOf(page);
  const dayOf = (part: string) =>
    rows.find((row) => row.startsWith(`| ${part} |`))?.match(/\d{4}-\d{2}-\d{2}/)?.[0] ?? "";
  return parts.toSorted((a, b) => dayOf(a).localeCompare(dayOf(b)));
}

/** Puts the run's row into the table at the end of the page, sorted by part. */
export function withRun(page: string, run: DeepRun): string {
  const { head, rows } = tableOf(page);
  const others = rows.filter((line) => !line.startsWith(`| ${run.part} |`));
  return `${[...head, ...[...others, rowOf(run)].sort()].join("\n")}\n`;
}
