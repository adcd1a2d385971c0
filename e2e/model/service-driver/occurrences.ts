// When the service took up what: what overlaps can have been taken up in any order.
import type { Oracle } from "../oracle/oracle";

/** Something the service took up between two moments: positions among all beginnings and ends, so no two are equal. */
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

  /** An act of the merchant: it is over at once. */
  act(apply: Occurrence["apply"]): void {
    this.#end([this.#open(apply)]);
  }

  /** The answer to a call. A worker calls about one intent in turn, so the answers before it have been taken up. */
  answer(apply: Occurrence["apply"]): void {
    this.#end(this.#openCalls);
    this.#openCalls = [this.#open(apply)];
  }

  callback(apply: Occurrence["apply"]): void {
    this.#openCallbacks.push(this.#open(apply));
  }

  /** The service is at rest: everything so far has been taken up. */
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

/** Longest run of which every order is tried: a step brings three callbacks at most, and a poll two more calls. */
const LONGEST_RUN = 6;
const MAXIMUM_ORDERS = 5_000;

/** Runs of occurrences that overlap. */
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

/** What was over before something else began comes first. */
function isPossible(order: readonly Occurrence[]): boolean {
  return order.every((one, index) => order.slice(index + 1).every((later) => later.to > one.from));
}
