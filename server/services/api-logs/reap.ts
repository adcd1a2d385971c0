// Deletes old requests from the API log.
import { keepLogPartitionsAcrossMerchants } from "@/server/db/log-partitions";
import { env } from "@/server/platform/env";

/** Keeps the log's partitions, which removes requests older than API_LOG_DAYS; returns 0 when nothing is left to do. */
export function reapApiLog(): Promise<number> {
  return keepLogPartitionsAcrossMerchants("api_log", env().apiLogDays);
}
