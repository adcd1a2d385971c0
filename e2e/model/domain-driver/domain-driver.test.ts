// 20,000 histories of the outside world against the domain, after those that once showed a fault.
import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { regressions } from "../regressions";
import { historiesOf } from "../world/arbitrary";
import { KINDS } from "../world/history";
import { playBatch } from "./batch";
import { missing } from "./coverage";
import { play } from "./play";

describe("regressions", () => {
  it.each(regressions())("$fault", ({ history }) => expect(play(history).violations).toEqual([]));
});

it("no history of the outside world breaks the domain, and every edge, report and fault is played", () => {
  const { histories, failures, counts } = playBatch(20_261_122, 20_000);
  expect(failures).toEqual([]);
  expect(histories).toBeGreaterThanOrEqual(20_000);
  expect(missing(counts, 1)).toEqual([]);
});

it("equal seeds play equal histories", () => {
  expect(playBatch(7, 300)).toEqual(playBatch(7, 300));
  expect(playBatch(7, 300).counts).not.toEqual(playBatch(8, 300).counts);
  expect(KINDS).toHaveLength(3);
});

/** Draws one history of each kind from the seed; returns them and all that playing them shows, as text. */
function traceOf(seed: number): string {
  const traces = KINDS.map((kind) => {
    const [history] = fc.sample(historiesOf(kind), { seed, numRuns: 1 });
    if (!history) throw new Error("no history was drawn");
    return { history, ...play(history) };
  });
  return inspect(traces, { depth: null, maxArrayLength: null });
}

it("1,000 of 1,000 seeds lead to the same steps again, whatever was played before", () => {
  const seeds = Array.from({ length: 1_000 }, (_, index) => index + 1);
  const first = seeds.map(traceOf);
  const again = seeds.toReversed().map(traceOf).toReversed();
  expect(seeds.filter((_, index) => again[index] !== first[index])).toEqual([]);
  expect(new Set(first).size).toBe(seeds.length);
});
