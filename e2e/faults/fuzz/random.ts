// Choices that a seed repeats: each sequence has its own source, so that it can be played alone.
import fc from "fast-check";

export interface Random {
  /** An integer from 0 to below `limit`. */
  below(limit: number): number;
  chance(share: number): boolean;
  pick<Value>(values: readonly Value[]): Value;
}

/** Mulberry32, started from the seed and the number of the sequence. */
export function randomOf(seed: number, sequence: number): Random {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(sequence + 1, 0x85ebca6b)) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    chance: (share) => next() < share,
    pick: <Value>(values: readonly Value[]) => values[below(values.length)] as Value,
  };
}

export interface OddValues {
  readonly values: readonly unknown[];
  readonly strings: readonly string[];
}

const EDGES = [
  "",
  " ",
  "\0",
  "\u202e",
  "a\u0301",
  "😀".repeat(64),
  "x".repeat(256),
  "x".repeat(5_000),
  "%00",
  "' OR 1=1--",
];
const NUMBERS = [0, -1, 1.5, 1e308, 2 ** 53, -(2 ** 31), 34_560_001];

/** Values of any type and strings of any code points; drawn once, because fast-check is slow beside a request. */
export function oddValues(seed: number): OddValues {
  const draw = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.sample(arbitrary, { seed, numRuns: 1_000 });
  const strings = [...EDGES, ...draw(fc.string({ unit: "binary", maxLength: 80 }))];
  return { strings, values: [null, true, [], {}, ...NUMBERS, ...strings.slice(0, 200), ...draw(fc.jsonValue())] };
}
