// How the page names types, channels, paces and states.

import type { Channel, NotificationType, SentType } from "@/server/domain/notification";
import type { Pace } from "@/server/domain/notification-time";
import type { Texts } from "../i18n/dashboard-texts";

export const typeWordsIn = (texts: Texts): Readonly<Record<SentType, string>> => ({
  approval_waiting: texts("notifications.payoutsWaiting"),
  approval_lapsing: texts("notifications.payoutsExpiring"),
  refund_proposed: texts("notifications.refundsThatOthersPropose"),
  exception_opened: texts("notifications.newExceptions"),
  exception_assigned: texts("notifications.exceptionsAssignedToYou"),
  endpoint_failing: texts("notifications.webhookEndpointsThatFail"),
  policy_proposed: texts("notifications.policiesProposed"),
  topup_terms_proposed: texts("notifications.termsProposed"),
  security: texts("notifications.changesOfAccess"),
  test: texts("notifications.test"),
});

export const channelWordsIn = (texts: Texts): Readonly<Record<Channel, string>> => ({
  mail: texts("notifications.mail"),
  slack: texts("notifications.slackOrCompatible"),
  webhook: texts("notifications.signedWebhook"),
});

export const paceWordsIn = (texts: Texts): Readonly<Record<Pace, string>> => ({
  immediate: texts("notifications.atOnce"),
  hourly: texts("notifications.onceAnHour"),
  daily: texts("notifications.onceADay"),
});

/** The types that a channel can have. Changes of access are always mailed, so mail does not offer them. */
export function typesFor(channel: Channel, types: readonly NotificationType[]): readonly NotificationType[] {
  return channel === "mail" ? types.filter((type) => type !== "security") : types;
}

interface Times {
  readonly pace: Pace;
  readonly time_zone: string;
  readonly daily_at: string;
  readonly quiet_hours: { readonly from: string; readonly until: string } | null;
}

/** "Once a day at 09:00, America/Sao Paulo". */
export function timesText(texts: Texts, { pace, time_zone, daily_at, quiet_hours }: Times): string {
  const zone = time_zone.replaceAll("_", " ");
  if (pace === "daily")
    return texts("notifications.dailyAt", { daily: paceWordsIn(texts).daily, dailyAt: daily_at, zone });
  if (quiet_hours === null) return paceWordsIn(texts)[pace];
  return texts("notifications.paceWithQuietHours", {
    paceWords: paceWordsIn(texts)[pace],
    from: quiet_hours.from,
    until: quiet_hours.until,
    zone,
  });
}
