// Holds what the service did against the oracle, in any order in which it can have taken up what overlapped.
import { boundViolations, truthViolations } from "../oracle/bounds";
import { violationsOf } from "../oracle/compare";
import type { Actual } from "../oracle/observation";
import { type Oracle, oracleOf } from "../oracle/oracle";
import type { World } from "../world/world";

/** Something the service took up between two moments, in real ms. */
export interface Occurrence {
  readonly from: number;
  to: number;
  apply(oracle: Oracle): void;
}

/** More orders than this are not tried: the steps of a history bring three reports at once at most. */
const MAXIMUM_ORDERS = 720;

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((first, index) =>
    permutations(items.filter((_, other) => other !== index)).map((rest) => [first, ...rest]),
  );
}

/** Runs of occurrences that overlap in time. */
function clusters(occurrences: readonly Occurrence[]): Occurrence[][] {
  const runs: Occurrence[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const one of occurrences.toSorted((a, b) => a.from - b.from)) {
    const run = runs.at(-1);
    if (run && one.from <= end && run.length < 4) run.push(one);
    else runs.push([one]);
    end = Math.max(end, one.to);
  }
  return runs;
}

/** Every order that the overlaps allow, the most likely first. */
function orders(occurrences: readonly Occurrence[]): Occurrence[][] {
  let all: Occurrence[][] = [[]];
  for (const run of clusters(occurrences)) {
    all = all.flatMap((before) => permutations(run).map((next) => [...before, ...next])).slice(0, MAXIMUM_ORDERS);
  }
  return all;
}

export interface Case {
  readonly world: World;
  readonly destination: string;
  readonly occurrences: readonly Occurrence[];
  readonly actual: Actual;
  readonly sentAfterAcceptance: boolean;
}

/** The violations in the order that explains most; none when some order explains everything. */
export function judge({ world, destination, occurrences, actual, sentAfterAcceptance }: Case): string[] {
  const { history, asked } = world;
  const truth = truthViolations(history, world, actual, sentAfterAcceptance);
  let best: string[] | null = null;
  for (const order of orders(occurrences)) {
    const oracle = oracleOf(history, asked, destination);
    for (const one of order) one.apply(oracle);
    oracle.rested();
    const found = oracle.isDisputed
      ? boundViolations(history, world, actual, destination)
      : violationsOf(history.kind, oracle.expectation(), actual);
    if (found.length === 0) return truth;
    if (best === null || found.length < best.length) best = found;
  }
  return [...truth, ...(best ?? [])];
}
