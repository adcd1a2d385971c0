// How the page names types, channels, paces and states.
import type { Channel, NotificationType, SentType } from "@/server/domain/notification";
import type { Pace } from "@/server/domain/notification-time";

export const TYPE_WORDS: Readonly<Record<SentType, string>> = {
  approval_waiting: "Payouts that wait for your approval",
  approval_lapsing: "Payouts that are cancelled within a day unless approved",
  refund_proposed: "Refunds that others propose",
  exception_opened: "New exceptions",
  endpoint_failing: "Webhook endpoints that fail",
  policy_proposed: "Approval policies that others propose",
  topup_terms_proposed: "Top-up terms that others propose",
  security: "Changes of access",
  test: "Test",
};

export const CHANNEL_WORDS: Readonly<Record<Channel, string>> = {
  mail: "Mail",
  slack: "Slack or compatible",
  webhook: "Signed webhook",
};

export const PACE_WORDS: Readonly<Record<Pace, string>> = {
  immediate: "At once",
  hourly: "Once an hour",
  daily: "Once a day",
};

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
export function timesText({ pace, time_zone, daily_at, quiet_hours }: Times): string {
  const zone = time_zone.replaceAll("_", " ");
  if (pace === "daily") return `${PACE_WORDS.daily} at ${daily_at}, ${zone}`;
  if (quiet_hours === null) return PACE_WORDS[pace];
  return `${PACE_WORDS[pace]}, but not from ${quiet_hours.from} to ${quiet_hours.until}, ${zone}`;
}
