// The table of deep runs in docs/deep-tests.md: one row per part, replaced by each run.

export interface DeepRun {
  readonly part: string;
  readonly result: string;
  readonly isPassed: boolean;
  readonly minutes: number;
  readonly commit: string;
  /** Day of the run, `2026-11-22`. */
  readonly date: string;
  readonly machine: string;
}

function rowOf({ part, result, isPassed, minutes, commit, date, machine }: DeepRun): string {
  const cells = [part, `${isPassed ? "✓" : "✗"} ${result}`, minutes.toFixed(1), commit, date, machine];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

/** Puts the run's row into the table at the end of the page, sorted by part. */
export function withRun(page: string, run: DeepRun): string {
  const lines = page.trimEnd().split("\n");
  const rule = lines.findLastIndex((line) => /^\|[ |-]+\|$/.test(line));
  if (rule === -1) throw new RangeError("the page has no table");
  const others = lines.slice(rule + 1).filter((line) => !line.startsWith(`| ${run.part} |`));
  return `${[...lines.slice(0, rule + 1), ...[...others, rowOf(run)].sort()].join("\n")}\n`;
}
