import { median } from "@/e2e/support/statistics";

export interface Round {
  /** Successful requests per second. */
  readonly rate: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly done: number;
  readonly failed: number;
}

/** The value below which that share of the sorted values lies; NaN of none. */
export function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** The summary of a round of this duration, with these latencies in ms. */
export function summarise(latencies: readonly number[], seconds: number): Omit<Round, "failed"> {
  const sorted = Float64Array.from(latencies).sort();
  return {
    rate: latencies.length / seconds,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    done: latencies.length,
  };
}

/** Largest minus smallest, as a share of the median; 0 if all are equal. */
export function spread(values: readonly number[]): number {
  const range = Math.max(...values) - Math.min(...values);
  return range === 0 ? 0 : range / median(values);
}

/** The slope of the least-squares line; NaN of fewer than two points. */
export function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (axis: 0 | 1) => points.reduce((sum, point) => sum + point[axis], 0) / points.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const rise = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return rise / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}
