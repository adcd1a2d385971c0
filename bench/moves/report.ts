// The report of what a merchant's move to another cell costs the merchant and its neighbors.

import { median } from "@/e2e/support/statistics";
import { areMet, type Bound, boundLines, boundsTable } from "../bounds";
import type { Surroundings } from "../surroundings";
import { listed, table, whole } from "../text";
import { LOCK_POLL_MS } from "./locks";
import { BETWEEN_MS, MOVER_PER_SECOND, type MoveFigures, type OwnCreates } from "./mover";
import { type Latencies, NEIGHBOR_PER_SECOND, SLOW_MS } from "./neighbors";

/** The creates of neighbors in a stretch of time. */
export interface NeighborTime extends Latencies {
  /** The longest wait for the lock of a table that a poll has seen, of all statements in the cell; 0 if none. */
  readonly lockMs: number;
}

/** The creates of neighbors, by when they were sent. */
export interface NeighborFigures {
  /** While nobody moved, before and after the moves, in both cells. */
  readonly before: NeighborTime;
  readonly after: NeighborTime;
  /** Before and after together. */
  readonly baseline: NeighborTime;
  /** Between moves, in both cells: shows whether the machine was busier during moves than before and after. */
  readonly between: NeighborTime;
  /** During moves, in the cell that the merchant left. */
  readonly oldCell: NeighborTime;
  /** During moves, in the cell that the merchant entered. */
  readonly newCell: NeighborTime;
}

/** The moves of one merchant. */
export interface Stretch {
  readonly moves: readonly MoveFigures[];
  readonly own: OwnCreates;
  readonly neighbors: NeighborFigures;
}

export interface MovesSize {
  /** Of each measurement without a move. */
  readonly baselineSeconds: number;
  /** Of the small merchant. */
  readonly moves: number;
  /** Of the large merchant. */
  readonly payments: number;
}

export interface MovesResults extends MovesSize {
  readonly small: Stretch;
  readonly large: Stretch;
  /** Creates of neighbors without success. */
  readonly failed: number;
  /** Rows that break an invariant in the end, in both cells. */
  readonly violations: number;
}

const MOST_PAUSE_MS = { small: 1_000, large: 5_000 };
/** What may be added to the slowest answer of a neighbor. */
const MOST_ADDED_TO_MAX_MS = 200;
/** What may become of a neighbor's p99: the larger of the two. */
const MOST_OF_P99 = 2;
const MOST_ADDED_TO_P99_MS = 20;

const longestPause = ({ moves }: Stretch) => Math.max(...moves.map(({ pausedMs }) => pausedMs));
const tenths = (ms: number) => Number(ms.toFixed(1));

/** Every goal with what was measured. */
export function movesGoals({ small, large, failed, violations }: MovesResults): Bound[] {
  const { baseline, oldCell, newCell } = small.neighbors;
  const p99 = Math.max(baseline.p99 * MOST_OF_P99, baseline.p99 + MOST_ADDED_TO_P99_MS);
  const ofNeighbor = (where: string, { p99: value, max }: Latencies): Bound[] => [
    { goal: `p99 of a neighbor in the ${where} cell, small moves`, value, most: tenths(p99), unit: "ms" },
    {
      goal: `slowest answer to a neighbor in the ${where} cell, small moves`,
      value: max,
      most: tenths(baseline.max + MOST_ADDED_TO_MAX_MS),
      unit: "ms",
    },
  ];
  return [
    { goal: "pause of a small move", value: longestPause(small), most: MOST_PAUSE_MS.small, unit: "ms" },
    { goal: "pause of a large move", value: longestPause(large), most: MOST_PAUSE_MS.large, unit: "ms" },
    ...ofNeighbor("old", oldCell),
    ...ofNeighbor("new", newCell),
    { goal: "creates of neighbors without success", value: failed, most: 0, unit: "creates" },
    {
      goal: "acknowledged payments that do not exist exactly once",
      value: small.own.wrong + large.own.wrong,
      most: 0,
      unit: "payments",
    },
    { goal: "rows that break an invariant", value: violations, most: 0, unit: "rows" },
  ];
}

export function areMovesMet(results: MovesResults): boolean {
  return areMet(movesGoals(results));
}

function movesTable(stretches: readonly Stretch[]): string {
  const each = (figure: (move: MoveFigures) => number) =>
    stretches.map(({ moves }) => {
      const values = moves.map(figure);
      return `${whole(median(values))} (${whole(Math.min(...values))} to ${whole(Math.max(...values))})`;
    });
  const own = (figure: (own: OwnCreates) => number) => stretches.map((stretch) => whole(figure(stretch.own)));
  return table(
    ["what", "small merchant", "large merchant"],
    [
      ["moves", ...stretches.map(({ moves }) => whole(moves.length))],
      ["rows of the merchant, in all tables", ...each(({ rows }) => rows)],
      ["whole move, ms", ...each(({ durationMs }) => durationMs)],
      ["rows moved per second", ...each(({ rows, durationMs }) => (rows * 1_000) / durationMs)],
      ["pause, ms", ...each(({ pausedMs }) => pausedMs)],
      ["its own creates meanwhile", ...own(({ requests }) => requests)],
      ["of them answered 503 first", ...own(({ retried }) => retried)],
      ["longest time until a create was acknowledged, ms", ...own(({ longestMs }) => longestMs)],
    ],
  );
}

function neighborsTable({ before, between, oldCell, newCell, after }: NeighborFigures): string {
  const row = (name: string, { requests, p50, p99, max, slow, lockMs }: NeighborTime) => [
    name,
    whole(requests),
    ...[p50, p99, max].map((ms) => ms.toFixed(1)),
    whole(slow),
    lockMs.toFixed(1),
  ];
  return table(
    [
      "when and where",
      "creates",
      "p50, ms",
      "p99, ms",
      "slowest, ms",
      `above ${SLOW_MS} ms`,
      "longest wait for a lock, ms",
    ],
    [
      row("before the moves, both cells", before),
      row("during moves, old cell", oldCell),
      row("during moves, new cell", newCell),
      row("between moves, both cells", between),
      row("after the moves, both cells", after),
    ],
  );
}

/** The report for people. */
export function movesMarkdown(around: Surroundings, results: MovesResults): string {
  const { small, large, baselineSeconds, payments } = results;
  return `# Moves between cells

Written by \`npm run bench -- moves\`. [docs/performance.md](../docs/performance.md#moves) describes it.

- **When**: ${around.at}
- **Machine**: ${listed(around.machine)}
- **Postgres**: ${listed(around.postgres)}
- **Service**: one web process and one worker; both cells are databases of one Postgres server on the same machine
- **Neighbors**: one in each cell, ${NEIGHBOR_PER_SECOND} creates a second each; ${whole(baselineSeconds)} s without a move before and after,
  and ${BETWEEN_MS / 1_000} s between moves

## Goals

${boundsTable(movesGoals(results))}

## The merchant that moves

The large one has ${whole(payments)} payments. Either creates ${MOVER_PER_SECOND} payments a second while it moves. Figures are medians, with
the least and the most.

${movesTable([small, large])}

## Neighbors, while the small merchant moves

The longest wait for a lock is that of any statement of the cell for the lock of a table, as seen every ${LOCK_POLL_MS} ms.

${neighborsTable(small.neighbors)}

## Neighbors, while the large merchant moves

${neighborsTable(large.neighbors)}
`;
}

/** The goals as lines for the terminal. */
export function movesLines(results: MovesResults): string {
  return boundLines(movesGoals(results));
}
