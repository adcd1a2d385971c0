// Keeping deliveries tidy: old records of attempts go, and what was made for an endpoint as it was deleted ends.
import { reapAttempts, skipOrphansAcrossMerchants } from "@/server/db/webhooks/attempts";

/** How long what was sent and answered can be looked up. */
const ATTEMPTS_KEPT_DAYS = 30;
const BATCH = 1_000;

/** Removes one batch; returns how much it found. */
export async function reapDeliveries(): Promise<number> {
  const skipped = await skipOrphansAcrossMerchants(BATCH);
  return skipped + (await reapAttempts(ATTEMPTS_KEPT_DAYS, BATCH));
}
