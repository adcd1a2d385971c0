// Deletes idempotency keys after their lifetime (interface §8).
import { reapExpiredKeysAcrossMerchants } from "@/server/db/idempotency";

/** Small enough not to disturb requests. */
const BATCH = 500;

/** Deletes one batch of keys older than 24 hours; returns their number. */
export function reapIdempotencyKeys(): Promise<number> {
  return reapExpiredKeysAcrossMerchants(BATCH);
}
