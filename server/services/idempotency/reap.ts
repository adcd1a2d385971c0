// Letting go of idempotency keys past their lifetime (interface §8).
import { reapExpiredKeysAcrossMerchants } from "@/server/db/idempotency";

/** Small enough not to disturb requests. */
const BATCH = 500;

/** Deletes one batch of keys older than 24 hours; returns how many. */
export function reapIdempotencyKeys(): Promise<number> {
  return reapExpiredKeysAcrossMerchants(BATCH);
}
