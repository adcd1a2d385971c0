// How the database serves this process: its connections, how long statements take, and failures of the database itself.
import type { Pool } from "pg";
import { allCells, cellLabel, currentCell } from "@/server/platform/cell";
import { counter, durations, isMeasured, sampled } from "@/server/platform/metrics/instruments";

const time = durations({
  name: "sluice_database_duration_seconds",
  help: "Duration of statements and transactions, including the wait for a connection.",
  labelNames: ["work", "cell"],
  buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
});

const countFailure = counter({
  name: "sluice_database_failures_total",
  help: "Statements and connections that the database failed for a reason of its own: unreachable, full, too slow.",
  labelNames: ["cell"],
  begins: () => allCells().map(({ name }) => cellLabel(name)),
});

/** Counts a statement or connection that a cell's database has failed. */
export function countDatabaseFailure(cell: string): void {
  countFailure(cellLabel(cell));
}

async function runTimed<Result>(work: string, run: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  try {
    return await run();
  } finally {
    time({ work, ...cellLabel(currentCell().name) }, performance.now() - startedAt);
  }
}

/** Runs the work and records how long it takes, whether or not it fails. */
export function timed<Result>(work: "statement" | "transaction", run: () => Promise<Result>): Promise<Result> {
  return isMeasured() ? runTimed(work, run) : run();
}

/** Samples the connections of the pools that `pools` returns at the time, by the names of their cells. */
export function samplePools(pools: () => ReadonlyMap<string, Pool | null>): void {
  sampled(
    {
      name: "sluice_database_connections",
      help: "Connections of this process: idle or busy. waiting: work that waits for one.",
      labelNames: ["state", "cell"],
    },
    () =>
      [...pools()].flatMap(([cell, pool]) => {
        const { idleCount: idle = 0, totalCount = 0, waitingCount: waiting = 0 } = pool ?? {};
        const states = Object.entries({ idle, busy: totalCount - idle, waiting });
        return states.map(([state, value]) => ({ labels: { state, ...cellLabel(cell) }, value }));
      }),
  );
  sampled(
    { name: "sluice_database_connections_max", help: "DATABASE_POOL_SIZE of this process.", labelNames: ["cell"] },
    () => [...pools()].map(([cell, pool]) => ({ labels: cellLabel(cell), value: pool?.options.max ?? 0 })),
  );
}
