// Deletes the sessions of long ago, with their addresses and browsers.
import { reapSessionsAcrossMerchants } from "@/server/db/sessions";
import { env } from "@/server/platform/env";

const BATCH = 1_000;

/** Deletes one batch of sessions that ended more than SESSION_DAYS ago; returns their number. */
export function reapSessions(): Promise<number> {
  return reapSessionsAcrossMerchants(env().sessionDays, BATCH);
}
