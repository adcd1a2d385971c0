// When the service processed what: overlapping occurrences can have been processed in any order.
import type { Oracle } from "../oracle/oracle";

/**
 * Something that the service processed between two moments: positions among all beginnings and ends, so no two are
 * equal.
 */
export interface Occurrence {
  readonly from: number;
  to: number;
  apply(oracle: Oracle): void;
}

export class Occurrences {
  readonly all: Occurrence[] = [];
  #moments = 0;
  #openCalls: Occurrence[] = [];
  #openCallbacks: Occurrence[] = [];

  /** An act of the merchant, which takes effect immediately. */
  act(apply: Occurrence["apply"]): void {
    this.#end([this.#open(apply)]);
  }

  /**
   * The answer to a call. A worker makes one call at a time about an intent, so earlier answers have been processed.
   */
  answer(apply: Occurrence["apply"]): void {
    this.#end(this.#openCalls);
    this.#openCalls = [this.#open(apply)];
  }

  callback(apply: Occurrence["apply"]): void {
    this.#openCallbacks.push(this.#open(apply));
  }

  /** The service is at rest: everything so far has been processed. */
  rest(): void {
    this.#end([...this.#openCalls, ...this.#openCallbacks]);
    this.#openCalls = [];
    this.#openCallbacks = [];
  }

  #open(apply: Occurrence["apply"]): Occurrence {
    this.#moments += 1;
    const occurrence = { from: this.#moments, to: Number.POSITIVE_INFINITY, apply };
    this.all.push(occurrence);
    return occurrence;
  }

  #end(occurrences: readonly Occurrence[]): void {
    for (const occurrence of occurrences) {
      this.#moments += 1;
      occurrence.to = this.#moments;
    }
  }
}

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((first, index) =>
    permutations(items.filter((_, other) => other !== index)).map((rest) => [first, ...rest]),
  );
}

/** The longest run whose orders are all tried: a step brings up to three callbacks, and a poll two more calls. */
const LONGEST_RUN = 6;
const MAXIMUM_ORDERS = 5_000;

/** Runs of overlapping occurrences. */
function overlaps(occurrences: readonly Occurrence[]): Occurrence[][] {
  const runs: Occurrence[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const one of occurrences.toSorted((a, b) => a.from - b.from)) {
    const run = runs.at(-1);
    if (run && one.from < end && run.length < LONGEST_RUN) run.push(one);
    else runs.push([one]);
    end = Math.max(end, one.to);
  }
  return runs;
}

/** Every order that the overlaps allow, the order of beginning first. */
export function orders(occurrences: readonly Occurrence[]): Occurrence[][] {
  let all: Occurrence[][] = [[]];
  for (const run of overlaps(occurrences)) {
    const ways = permutations(run).filter(isPossible);
    all = all.flatMap((before) => ways.map((next) => [...before, ...next])).slice(0, MAXIMUM_ORDERS);
  }
  return all;
}

/** An occurrence that ended before another began comes first. */
function isPossible(order: readonly Occurrence[]): boolean {
  return order.every((one, index) => order.slice(index + 1).every((later) => later.to > one.from));
}
