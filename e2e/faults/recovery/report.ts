// What a run of kills comes to: its figures, what was lost, and which goals the figures miss.
import { percentile } from "../../support/statistics";

/** The goals of docs/reliability.md, in ms. */
const GOALS_MS = { web: 2_000, postgres: 5_000, worker: 5_000 } as const;

export interface Recoveries {
  /** From each kill of the web process to the next acknowledged write, in ms. */
  readonly web: readonly number[];
  /** The same for Postgres. */
  readonly postgres: readonly number[];
  /** Kills of workers that held claims. */
  readonly workerKills: number;
  /** From the end of each claim's lease to its takeover, in ms. */
  readonly worker: readonly number[];
  readonly writes: number;
  /** What each acknowledged write lacks that is lost. */
  readonly lost: readonly string[];
  /** What has no known outcome at the end. */
  readonly unresolved: readonly string[];
  /** Everything else that is wrong. */
  readonly others: readonly string[];
}

export interface Report {
  readonly line: string;
  /** What is wrong, and which goals the figures miss. */
  readonly problems: readonly string[];
}

/** The median, the 99th percentile and the worst, such as `p50 900, p99 1200, worst 1300 ms`. */
function figuresOf(times: readonly number[]): string {
  const [p50, p99, worst] = [0.5, 0.99, 1].map((share) => percentile(times, share).toFixed(0));
  return `p50 ${p50}, p99 ${p99}, worst ${worst} ms`;
}

/** The worst takeover counts for workers: there are too few for a 99th percentile. */
function missedGoals({ web, postgres, worker }: Recoveries): readonly string[] {
  const judged = [
    { name: "the p99 of the return after a kill of the web process", ms: percentile(web, 0.99), goal: GOALS_MS.web },
    { name: "the p99 of the return after a kill of Postgres", ms: percentile(postgres, 0.99), goal: GOALS_MS.postgres },
    { name: "the slowest takeover of a claim past its lease", ms: percentile(worker, 1), goal: GOALS_MS.worker },
  ];
  return (
    judged
      // A run without kills shows nothing: NaN misses every goal.
      .filter(({ ms, goal }) => !(ms <= goal))
      .map(({ name, ms, goal }) => `${name} is ${ms.toFixed(0)} ms; the goal is ${goal} ms`)
  );
}

/** Sums up a run of kills; `seed` repeats its draws. */
export function reportOf(recoveries: Recoveries, seed: number): Report {
  const { web, postgres, worker, workerKills, writes, lost, unresolved, others } = recoveries;
  const problems = [...lost, ...unresolved, ...others, ...missedGoals(recoveries)];
  const parts = [
    `${web.length} kills of the web process, back after ${figuresOf(web)}`,
    `${postgres.length} kills of Postgres, back after ${figuresOf(postgres)}`,
    `${workerKills} kills of workers, ${worker.length} claims taken over past their leases by ${figuresOf(worker)}`,
    `${writes} writes, ${lost.length} acknowledged ones lost, ${unresolved.length} outcomes unresolved`,
    `${problems.length} problems`,
  ];
  return { line: `recovery: seed ${seed}, ${parts.join("; ")}`, problems };
}
