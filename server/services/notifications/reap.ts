// Deletes old notifications. A fact that still stands is then notified again, as a reminder.
import { reapNotificationsAcrossMerchants } from "@/server/db/notifications/outbox";
import { env } from "@/server/platform/env";

const BATCH = 1_000;

/** Deletes one batch of notifications that ended more than NOTICE_DAYS ago; returns their number. */
export function reapNotifications(): Promise<number> {
  return reapNotificationsAcrossMerchants(env().noticeDays, BATCH);
}
