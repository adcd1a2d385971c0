// 20,000 histories of the outside world against the domain, after those that once showed a fault.
import { describe, expect, it } from "vitest";
import { regressions } from "../regressions";
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
