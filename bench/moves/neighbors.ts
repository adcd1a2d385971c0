// The neighbors of a merchant that moves: their creates at a constant rate, and how long those took at which time.
import { creation } from "../cases/creates";
import { sendPaced } from "../paced";
import type { Party } from "../stage";
import { percentile } from "../statistics";

/** Creates a second, of each neighbor. */
export const NEIGHBOR_PER_SECOND = 20;
/** A slow answer takes longer, in ms. */
export const SLOW_MS = 100;

/** A stretch of time, in ms of this process's clock. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A create that was answered with success: when its turn came, and how long it took, in ms. */
export interface Answer {
  readonly at: number;
  readonly ms: number;
}

/** Of creates, in ms. */
export interface Latencies {
  readonly requests: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** The number of slow answers. */
  readonly slow: number;
}

/** The answers that were waited for during any of the spans. */
export function answersIn(answers: readonly Answer[], spans: readonly Span[]): Answer[] {
  return answers.filter(({ at, ms }) => spans.some(({ from, to }) => at <= to && at + ms >= from));
}

export function latenciesOf(answers: readonly Answer[]): Latencies {
  const sorted = Float64Array.from(answers, ({ ms }) => ms).sort();
  return {
    requests: sorted.length,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    max: sorted.at(-1) ?? Number.NaN,
    slow: sorted.filter((ms) => ms > SLOW_MS).length,
  };
}

export interface NeighborLoad {
  /** Of each neighbor, so far. */
  readonly answers: readonly (readonly Answer[])[];
  /** Ends the load, waits for its answers, and returns the number of creates that were not answered with success. */
  end(): Promise<number>;
}

/** Lets the neighbors create payments until the load is ended. */
export function startNeighbors(baseUrl: string, neighbors: readonly Party[]): NeighborLoad {
  const ending = new AbortController();
  let failed = 0;
  const answers = neighbors.map((): Answer[] => []);
  const loads = neighbors.map(({ authorization }, n) =>
    sendPaced({
      baseUrl,
      perSecond: NEIGHBOR_PER_SECOND,
      seconds: Number.POSITIVE_INFINITY,
      signal: ending.signal,
      next: () => ({ ...creation(), authorization }),
      onAnswer: (ms) => answers[n]?.push({ at: performance.now() - ms, ms }),
      onFailure: () => {
        failed += 1;
      },
    }),
  );
  return {
    answers,
    async end() {
      ending.abort();
      await Promise.all(loads);
      return failed;
    },
  };
}
