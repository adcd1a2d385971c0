// Puts new facts into the outbox, for everybody who registered for them.
import { findNewFactsAcrossMerchants } from "@/server/db/notifications/facts";
import { insertNotificationsAcrossMerchants } from "@/server/db/notifications/outbox";
import { NOTIFICATION_TYPES, type NotificationType } from "@/server/domain/notification";
import { firstSendAt } from "@/server/domain/notification-time";
import { now } from "@/server/platform/clock";

const BATCH = 500;

/**
 * Inserts a notification per new fact and registration, at most a batch per type; returns their number. A fact that is
 * found a second time inserts nothing, so two workers, or one that crashed, leave one notification.
 */
export async function findNotifications(at = now()): Promise<number> {
  let inserted = 0;
  for (const type of NOTIFICATION_TYPES) inserted += await findOfType(type, at);
  return inserted;
}

async function findOfType(type: NotificationType, at: Date): Promise<number> {
  const facts = await findNewFactsAcrossMerchants(type, at, BATCH);
  if (facts.length === 0) return 0;
  const notifications = facts.map(({ schedule, ...fact }) => ({ ...fact, type, dueAt: firstSendAt(schedule, at) }));
  return insertNotificationsAcrossMerchants(notifications, at);
}
