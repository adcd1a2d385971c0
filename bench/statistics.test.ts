import { describe, expect, it } from "vitest";
import { percentile, slope, spread, summarise } from "./statistics";

describe("rounds", () => {
  it("have a rate and exact percentiles, in any order", () => {
    const latencies = Array.from({ length: 1_000 }, (_, n) => 1_000 - n);
    expect(summarise(latencies, 4)).toEqual({ rate: 250, p50: 501, p99: 991, done: 1_000 });
  });

  it("without answers have a rate of 0 and no percentiles", () => {
    expect(summarise([], 2)).toEqual({ rate: 0, p50: Number.NaN, p99: Number.NaN, done: 0 });
  });

  it("have a spread of largest minus smallest as a share of the median", () => {
    expect(spread([80, 100, 130])).toBe(0.5);
    expect(spread([100])).toBe(0);
    expect(spread([0, 0])).toBe(0);
  });
});

it("a percentile of one value is that value", () => {
  expect(percentile(Float64Array.of(7), 0.99)).toBe(7);
});

describe("the slope", () => {
  it("of points on a line is that of the line", () => {
    expect(slope([0, 1, 2, 5].map((x) => [x, 3 * x - 7] as const))).toBeCloseTo(3, 12);
  });

  it("of symmetric points is zero", () => {
    const waves = [0, 1, 0, 1, 0].map((y, x) => [x, y] as const);
    expect(slope(waves)).toBe(0);
  });
});
