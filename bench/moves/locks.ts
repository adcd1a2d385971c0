// How long statements wait for the lock of a table. Unlike latencies, it does not grow with other work on the machine's cores.
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "@/e2e/rest/database";
import type { Answer } from "./neighbors";

/** A wait that begins and ends between two polls is not seen. */
export const LOCK_POLL_MS = 20;

/** The longest wait of now, by a statement that reads or writes a table. The modes of moves and of vacuum are others. */
const LONGEST_WAIT = `
  SELECT max(extract(epoch FROM clock_timestamp() - waitstart))::float8 * 1000 AS ms FROM pg_locks
  WHERE NOT granted AND locktype = 'relation' AND mode IN ('AccessShareLock', 'RowShareLock', 'RowExclusiveLock')
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

export interface LockWatch {
  /** Waits that polls have seen so far, in each cell: when each began, and how long it had lasted, in ms. */
  readonly waits: readonly (readonly Answer[])[];
  end(): Promise<void>;
}

/** Polls the locks of these databases until the watch is ended. */
export function watchLocks(databases: readonly Database[]): LockWatch {
  const ending = new AbortController();
  const waits = databases.map((): Answer[] => []);
  const watches = databases.map(async ({ query }, n) => {
    while (!ending.signal.aborted) {
      const [longest] = await query<{ ms: number | null }>(LONGEST_WAIT);
      if (longest && longest.ms !== null) waits[n]?.push({ at: performance.now() - longest.ms, ms: longest.ms });
      await sleep(LOCK_POLL_MS);
    }
  });
  return {
    waits,
    async end() {
      ending.abort();
      await Promise.all(watches);
    },
  };
}
