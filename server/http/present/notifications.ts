// Registrations for notifications in wire names, and their terms read from them.
import type { z } from "zod";
import { formatInstant } from "@/server/contract/instants";
import type { registrationTerms } from "@/server/contract/notifications";
import { minuteText, type QuietHours, readMinute } from "@/server/domain/notification-time";
import type { ShownRegistration } from "@/server/services/notifications/registrations";

/** Reads terms that passed their schema. */
export function readTerms({ types, pace, time_zone: timeZone, ...times }: z.output<typeof registrationTerms>) {
  const { daily_at: dailyAt, quiet_hours: quiet } = times;
  const quietHours: QuietHours | null = quiet && { from: minuteOf(quiet.from), until: minuteOf(quiet.until) };
  return { types: [...new Set(types)], schedule: { pace, timeZone, dailyAt: minuteOf(dailyAt), quiet: quietHours } };
}

function minuteOf(text: string): number {
  return readMinute(text) ?? 0;
}

/** Presents a registration with its last messages. */
export function presentRegistration({ id, channel, target, types, schedule, messages, ...more }: ShownRegistration) {
  const { pace, timeZone, dailyAt, quiet } = schedule;
  return {
    id,
    environment: more.environment,
    channel,
    target,
    types: [...types],
    pace,
    time_zone: timeZone,
    daily_at: minuteText(dailyAt),
    quiet_hours: quiet && { from: minuteText(quiet.from), until: minuteText(quiet.until) },
    created_at: formatInstant(more.createdAt),
    messages: messages.map((message) => ({
      id: message.id,
      types: [...message.types],
      count: message.count,
      state: message.state,
      attempts: message.attempts,
      failure: message.failure,
      next_attempt_at: message.dueAt && formatInstant(message.dueAt),
      ended_at: message.endedAt && formatInstant(message.endedAt),
    })),
  };
}
