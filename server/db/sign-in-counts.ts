import type { QueryConfig } from "pg";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { pool } from "./client";

export interface AttemptSettings {
  /** Which counts these are; a rule of the table names all of them. */
  readonly counts: `${"password" | "code"}:${"account" | "address"}`;
  readonly attempts: number;
  /** How long attempts count, in ms, by the clock of the process that counts them. */
  readonly windowMs: number;
}

/** A limit whose counts all processes share. Keys are keyed digests. */
export interface AttemptLimit {
  /** Counts one attempt; false if none was left. The last one begins a pause of a whole window. */
  take(key: string): Promise<boolean>;
  /** Takes one attempt back. */
  giveBack(key: string): Promise<void>;
  /** Takes all attempts back. */
  clear(key: string): Promise<void>;
}

/** After a rejection, a process rejects the key without the database for this long: a flood costs few writes. */
const REJECTS_ALONE_SECONDS = 5;

/** The limit over table `sign_in_count`. The library deletes rows an hour after they ended. */
export function createAttemptLimit({ counts, attempts, windowMs }: AttemptSettings): AttemptLimit {
  const duration = windowMs / 1_000;
  const limiter = new RateLimiterPostgres({
    // Looked up per statement: disconnect() ends a pool, and the next statement opens another.
    storeClient: { query: (statement: QueryConfig) => pool().query(statement) },
    storeType: "pool",
    tableName: "sign_in_count",
    tableCreated: true,
    keyPrefix: counts,
    points: attempts,
    duration,
    inMemoryBlockOnConsumed: attempts + 1,
    inMemoryBlockDuration: REJECTS_ALONE_SECONDS,
  });

  return {
    async take(key) {
      try {
        const { remainingPoints } = await limiter.consume(key);
        if (remainingPoints === 0) await limiter.set(key, attempts, duration);
        return true;
      } catch (error) {
        if (error instanceof RateLimiterRes) return false;
        throw error;
      }
    },
    async giveBack(key) {
      await limiter.reward(key);
    },
    async clear(key) {
      await limiter.delete(key);
    },
  };
}
