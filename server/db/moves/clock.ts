// The clock of a cell's database. Leases, times at which work is due, and ids come from it.
import type { Owner } from "./owner";

export interface ClockReading {
  /** How far the database's clock is ahead of this process's, in ms. */
  readonly aheadMs: number;
  /** The reading is wrong by at most so much, in ms: the answer may have been on its way for that time. */
  readonly toleranceMs: number;
}

/** Reads the clock of the cell's database. */
export async function readClock(owner: Owner): Promise<ClockReading> {
  const asked = Date.now();
  const [row] = await owner.query<{ ms: string }>(
    "SELECT round(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS ms",
  );
  const toleranceMs = (Date.now() - asked) / 2;
  return { aheadMs: Number(row?.ms) - asked - toleranceMs, toleranceMs };
}
