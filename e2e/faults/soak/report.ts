// What the samples of a soak come to.
import type { Sample } from "./sample";

export interface SoakReport {
  readonly minutes: number;
  readonly intents: number;
  /** How fast the memory without garbage of a process grew after the warm-up, in MiB an hour; the worst process of each name. */
  readonly memorySlopes: Readonly<Record<string, number>>;
  /** More descriptors at the end than after the warm-up, in the worst process. */
  readonly descriptorsGained: number;
  readonly worstLagSeconds: number;
  readonly lastLagSeconds: number;
  readonly gibPerMillionIntents: number;
  readonly worstDeadRows: number;
  readonly lastIndexBytes: number;
}

const HOUR_MS = 3_600_000;
/** The part of the run that warms caches and compilers. */
const WARM_UP = 0.25;

/** The slope of the line that fits the points best, by least squares. */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [meanOf(points.map(([one]) => one)), meanOf(points.map(([, other]) => other))];
  const above = points.reduce((sum, [one, other]) => sum + (one - x) * (other - y), 0);
  const below = points.reduce((sum, [one]) => sum + (one - x) ** 2, 0);
  return below === 0 ? 0 : above / below;
}

/** Sums up the samples, in their order. Throws if there are too few. */
export function reportOf(samples: readonly Sample[]): SoakReport {
  const last = samples.at(-1);
  const warm = samples.filter(({ at }) => at >= (last?.at ?? 0) * WARM_UP);
  const [first] = warm;
  if (!first || !last || warm.length < 3) throw new RangeError("a soak needs more samples");
  const memorySlopes: Record<string, number> = {};
  const gained: number[] = [];
  for (const { pid, name } of last.processes) {
    const own = warm.flatMap(({ at, processes }) =>
      processes.filter((one) => one.pid === pid).map((one) => ({ at, ...one })),
    );
    const live = own.flatMap(({ at, liveMiB }) => (liveMiB === undefined ? [] : [[at / HOUR_MS, liveMiB] as const]));
    const slope = slopeOf(live);
    memorySlopes[name] = Math.max(memorySlopes[name] ?? Number.NEGATIVE_INFINITY, slope);
    gained.push((own.at(-1)?.descriptors ?? 0) - (own[0]?.descriptors ?? 0));
  }
  const grown = last.databaseBytes - first.databaseBytes;
  return {
    minutes: last.at / 60_000,
    intents: last.intents,
    memorySlopes,
    descriptorsGained: Math.max(...gained),
    worstLagSeconds: Math.max(...samples.map(({ lagSeconds }) => lagSeconds)),
    lastLagSeconds: last.lagSeconds,
    gibPerMillionIntents: ((grown / (last.intents - first.intents)) * 1_000_000) / 2 ** 30,
    worstDeadRows: Math.max(...warm.map(({ deadRows }) => deadRows)),
    lastIndexBytes: last.indexBytes,
  };
}
