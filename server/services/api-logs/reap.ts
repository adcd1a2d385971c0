// Forgetting requests that were kept for long enough.
import { reapApiLogAcrossMerchants } from "@/server/db/api-logs";
import { env } from "@/server/platform/env";

const BATCH = 1_000;

/** Removes one batch of what is older than API_LOG_DAYS; gives how many. */
export function reapApiLog(): Promise<number> {
  return reapApiLogAcrossMerchants(env().apiLogDays, BATCH);
}
