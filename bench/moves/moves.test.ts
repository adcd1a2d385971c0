import { describe, expect, it } from "vitest";
import { answersIn, latenciesOf } from "./neighbors";
import {
  areMovesMet,
  type MovesResults,
  movesGoals,
  movesMarkdown,
  type NeighborFigures,
  type NeighborTime,
  type Stretch,
} from "./report";

const latencies = (changes: Partial<NeighborTime> = {}): NeighborTime => ({
  requests: 2_400,
  p50: 5,
  p99: 15,
  max: 40,
  slow: 0,
  lockMs: 0,
  ...changes,
});
const neighbors = (changes: Partial<NeighborFigures> = {}): NeighborFigures => ({
  before: latencies(),
  after: latencies(),
  baseline: latencies(),
  between: latencies(),
  oldCell: latencies(),
  newCell: latencies(),
  ...changes,
});
const stretch = (changes: Partial<Stretch> = {}): Stretch => ({
  moves: [
    { to: "c1", rows: 50, durationMs: 2_000, pausedMs: 40 },
    { to: "main", rows: 150, durationMs: 4_000, pausedMs: 60 },
  ],
  own: { requests: 100, retried: 3, longestMs: 90, wrong: 0 },
  neighbors: neighbors(),
  ...changes,
});
const results = (changes: Partial<MovesResults> = {}): MovesResults => ({
  baselineSeconds: 60,
  moves: 2,
  payments: 100_000,
  small: stretch(),
  large: stretch(),
  failed: 0,
  violations: 0,
  ...changes,
});
const paused = (pausedMs: number) => stretch({ moves: [{ to: "c1", rows: 50, durationMs: 2_000, pausedMs }] });
const missed = (changes: Partial<MovesResults>) =>
  movesGoals(results(changes))
    .filter(({ value, most }) => !(value <= most))
    .map(({ goal }) => goal);

describe("goals", () => {
  it("are met by short pauses and neighbors that notice little", () => {
    expect(areMovesMet(results())).toBe(true);
  });

  it("are missed by one pause that is too long", () => {
    expect(missed({ small: paused(1_001), large: paused(1_001) })).toEqual(["pause of a small move"]);
    expect(missed({ large: paused(5_001) })).toEqual(["pause of a large move"]);
  });

  it("are missed by neighbors that wait in either cell while the small merchant moves", () => {
    const small = (changes: Partial<NeighborFigures>) => ({ small: stretch({ neighbors: neighbors(changes) }) });
    expect(missed(small({ oldCell: latencies({ p99: 35.1 }) }))).toEqual([
      "p99 of a neighbor in the old cell, small moves",
    ]);
    expect(missed(small({ newCell: latencies({ max: 240.1 }) }))).toEqual([
      "slowest answer to a neighbor in the new cell, small moves",
    ]);
    expect(
      missed({ large: stretch({ neighbors: neighbors({ oldCell: latencies({ p99: 900, max: 900 }) }) }) }),
    ).toEqual([]);
  });

  it("allow twice the p99 without moves where that is more than 20 ms above it", () => {
    const small = (p99: number) => ({
      small: stretch({ neighbors: neighbors({ baseline: latencies({ p99: 30 }), newCell: latencies({ p99 }) }) }),
    });
    expect(missed(small(60))).toEqual([]);
    expect(missed(small(60.1))).toEqual(["p99 of a neighbor in the new cell, small moves"]);
  });

  it("are missed by one create without success, one wrong payment and one broken row", () => {
    expect(missed({ failed: 1 })).toEqual(["creates of neighbors without success"]);
    const wrong = stretch({ own: { requests: 100, retried: 3, longestMs: 90, wrong: 1 } });
    expect(missed({ large: wrong })).toEqual(["acknowledged payments that do not exist exactly once"]);
    expect(missed({ violations: 1 })).toEqual(["rows that break an invariant"]);
  });

  it("are missed if no neighbor was answered during moves", () => {
    const none = { ...latenciesOf([]), lockMs: 0 };
    expect(areMovesMet(results({ small: stretch({ neighbors: neighbors({ oldCell: none }) }) }))).toBe(false);
  });
});

describe("answers", () => {
  const answers = [
    { at: 0, ms: 10 },
    { at: 90, ms: 20 },
    { at: 150, ms: 5 },
    { at: 195, ms: 300 },
    { at: 300, ms: 5 },
  ];

  it("belong to a span if any part of their wait does", () => {
    expect(answersIn(answers, [{ from: 100, to: 200 }]).map(({ at }) => at)).toEqual([90, 150, 195]);
  });

  it("count once if two spans have them", () => {
    const spans = [
      { from: 100, to: 200 },
      { from: 250, to: 299 },
    ];
    expect(answersIn(answers, spans).map(({ at }) => at)).toEqual([90, 150, 195]);
  });

  it("have exact percentiles, and those above 100 ms are slow", () => {
    expect(latenciesOf(answers)).toEqual({ requests: 5, p50: 10, p99: 300, max: 300, slow: 1 });
  });
});

it("the report shows the moves, the merchant's own creates and its neighbors", () => {
  const around = { at: "now", machine: {}, versions: {}, postgres: {}, rowsAtTheEnd: {} };
  const report = movesMarkdown(around, results({ large: paused(70) }));
  expect(report).toContain("| whole move, ms | 3,000 (2,000 to 4,000) | 2,000 (2,000 to 2,000) |");
  expect(report).toContain("| pause, ms | 50 (40 to 60) | 70 (70 to 70) |");
  expect(report).toContain("| rows moved per second | 31 (25 to 38) | 25 (25 to 25) |");
  expect(report).toContain("| of them answered 503 first | 3 | 3 |");
  expect(report).toContain("| during moves, old cell | 2,400 | 5.0 | 15.0 | 40.0 | 0 | 0.0 |");
});
