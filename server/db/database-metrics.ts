// How the database serves this process: its connections, how long statements take, and failures of the database itself.
import type { Pool } from "pg";
import { counter, durations, isMeasured, sampled } from "@/server/platform/metrics/instruments";

const time = durations({
  name: "sluice_database_duration_seconds",
  help: "Duration of statements and transactions, including the wait for a connection.",
  labelNames: ["work"],
  buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
});

const countFailure = counter({
  name: "sluice_database_failures_total",
  help: "Statements and connections that the database failed for a reason of its own: unreachable, full, too slow.",
  labelNames: [],
});

/** Counts a statement or connection that the database has failed. */
export function countDatabaseFailure(): void {
  countFailure({});
}

async function runTimed<Result>(work: string, run: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  try {
    return await run();
  } finally {
    time({ work }, performance.now() - startedAt);
  }
}

/** Runs the work and records how long it takes, whether or not it fails. */
export function timed<Result>(work: "statement" | "transaction", run: () => Promise<Result>): Promise<Result> {
  return isMeasured() ? runTimed(work, run) : run();
}

/** Samples the connections of the pool that `pool` returns at the time; null before there is one. */
export function samplePool(pool: () => Pool | null): void {
  sampled(
    {
      name: "sluice_database_connections",
      help: "Connections of this process: idle or busy. waiting: work that waits for one.",
      labelNames: ["state"],
    },
    () => {
      const { idleCount: idle = 0, totalCount = 0, waitingCount: waiting = 0 } = pool() ?? {};
      return Object.entries({ idle, busy: totalCount - idle, waiting }).map(([state, value]) => ({
        labels: { state },
        value,
      }));
    },
  );
  sampled(
    { name: "sluice_database_connections_max", help: "DATABASE_POOL_SIZE of this process.", labelNames: [] },
    () => [{ labels: {}, value: pool()?.options.max ?? 0 }],
  );
}
