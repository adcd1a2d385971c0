// Deletes old notices of changes of authority.
import { reapNoticesAcrossMerchants } from "@/server/db/authority-notices";
import { env } from "@/server/platform/env";

const BATCH = 1_000;

/** Deletes one batch of notices older than NOTICE_DAYS; returns their number. */
export function reapNotices(): Promise<number> {
  return reapNoticesAcrossMerchants(env().noticeDays, BATCH);
}
