// Deletes old requests from the API log.
import { reapApiLogAcrossMerchants } from "@/server/db/api-logs";
import { env } from "@/server/platform/env";

const BATCH = 1_000;

/** Deletes one batch of requests older than API_LOG_DAYS; returns their number. */
export function reapApiLog(): Promise<number> {
  return reapApiLogAcrossMerchants(env().apiLogDays, BATCH);
}
