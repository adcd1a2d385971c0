// Goals that a run of its own measures: each value may be so much at most.
import { table } from "./text";

export interface Bound {
  readonly goal: string;
  readonly value: number;
  readonly most: number;
  readonly unit: string;
}

const isMet = ({ value, most }: Bound): boolean => value <= most;

export function areMet(bounds: readonly Bound[]): boolean {
  return bounds.every(isMet);
}

/** The goals as a table in Markdown. */
export function boundsTable(bounds: readonly Bound[]): string {
  const rows = bounds.map((bound) => [
    bound.goal,
    `≤ ${bound.most} ${bound.unit}`,
    `${bound.value.toFixed(2)} ${bound.unit}`,
    isMet(bound) ? "yes" : "**no**",
  ]);
  return table(["what", "wanted", "measured", "met"], rows);
}

/** The goals as lines for the terminal. */
export function boundLines(bounds: readonly Bound[]): string {
  const line = (bound: Bound) =>
    `${isMet(bound) ? "met " : "MISS"}  ${bound.goal}: ${bound.value.toFixed(2)} ${bound.unit} (≤ ${bound.most})`;
  return bounds.map(line).join("\n");
}
