import type { QueryConfig } from "pg";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { acrossMerchants } from "@/server/platform/reach";
import { type Act, recordChange } from "./audit/record";
import { inTransaction, pool } from "./client";

/** Which counts these are; a rule of the table names all of them. */
export type CountName = `${"password" | "code" | "passkey"}:${"address" | "member" | "session" | "source" | "device"}`;

export interface AttemptSettings {
  readonly counts: CountName;
  readonly attempts: number;
  /** How long attempts count, in ms, by the clock of the process that counts them. */
  readonly windowMs: number;
}

/** A limit on attempts per key. */
export interface AttemptLimit {
  /** Counts one attempt and returns its number, from 1; null if none was left. The last one begins a pause of a whole window. */
  take(key: string): Promise<number | null>;
  /** Takes one attempt back. */
  giveBack(key: string): Promise<void>;
  /** Takes all attempts back. */
  clear(key: string): Promise<void>;
}

/** After a rejection, a process rejects the key without the database for this long: a flood costs few writes. */
const REJECTS_ALONE_SECONDS = 5;

/**
 * The limit over table `sign_in_count`, which all processes share. Keys are keyed digests. The library deletes rows an hour
 * after they ended.
 */
export function createAttemptLimit({ counts, attempts, windowMs }: AttemptSettings): AttemptLimit {
  const duration = windowMs / 1_000;
  const limiter = new RateLimiterPostgres({
    // Looked up per statement: disconnect() ends a pool, and the next statement opens another.
    storeClient: { query: (statement: QueryConfig) => acrossMerchants(() => pool().query(statement)) },
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
        const { remainingPoints, consumedPoints } = await limiter.consume(key);
        if (remainingPoints === 0) await limiter.set(key, attempts, duration);
        return consumedPoints;
      } catch (error) {
        if (error instanceof RateLimiterRes) return null;
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

/** The third part of a key is the digest of its member, or of an address, which is never a member's. */
const CLEAR = "DELETE FROM sign_in_count WHERE split_part(key, ':', 3) = $1 RETURNING key";

/** Deletes all counts of a member, from every source, with an audit entry; returns how many there were. */
export async function clearCountsOf(
  { merchantId, memberId, digest }: { readonly merchantId: string; readonly memberId: string; readonly digest: string },
  act: Act,
): Promise<number> {
  return inTransaction(async (transaction) => {
    const { length } = await transaction.query(CLEAR, digest);
    const change = { merchantId, environment: null, action: "member.unlock", objectId: memberId, before: null };
    await recordChange(transaction, { ...change, after: { counts_cleared: length } }, act);
    return length;
  });
}
