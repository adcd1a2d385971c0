// When a notification is sent: at once, with those of the hour or of the day, and never in quiet hours.
import { addDays, dayAt, startOfDay } from "./days";
import { wallClock } from "./wall-clock";

export const PACES = ["immediate", "hourly", "daily"] as const;
export type Pace = (typeof PACES)[number];

/** Wall-clock times in minutes after midnight. `from` may be later than `until`: the hours then include midnight. */
export interface QuietHours {
  readonly from: number;
  readonly until: number;
}

export interface NotificationSchedule {
  readonly pace: Pace;
  /** An IANA name. */
  readonly timeZone: string;
  /** When the daily message is sent, in minutes after midnight. */
  readonly dailyAt: number;
  /** Null for none. They do not move the daily message, whose time a person chose. */
  readonly quiet: QuietHours | null;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** What happens within this time is one message: a file of payouts is not a hundred. */
const GATHER_MS = 5_000;

/** When a notification that arises at `at` is first sent. */
export function firstSendAt(schedule: NotificationSchedule, at: Date): Date {
  const { pace, timeZone, dailyAt } = schedule;
  if (pace === "daily") return nextAtMinute(at, dailyAt, timeZone);
  if (pace === "immediate") return afterQuietHours(schedule, new Date(at.getTime() + GATHER_MS));
  return afterQuietHours(schedule, new Date((Math.floor(at.getTime() / HOUR_MS) + 1) * HOUR_MS));
}

/** `at`, or the end of the quiet hours that it is in. */
export function afterQuietHours({ quiet, timeZone }: Pick<NotificationSchedule, "quiet" | "timeZone">, at: Date): Date {
  if (quiet === null || !isWithin(quiet, minuteAt(at, timeZone))) return at;
  return nextAtMinute(at, quiet.until, timeZone);
}

function isWithin({ from, until }: QuietHours, minute: number): boolean {
  return from < until ? from <= minute && minute < until : from <= minute || minute < until;
}

/** The minute of the day that clocks of the zone show. */
function minuteAt(at: Date, timeZone: string): number {
  const { hour, minute } = wallClock(at.getTime(), timeZone);
  return hour * 60 + minute;
}

/** The first instant after `at` at which clocks of the zone begin to show the minute of the day. */
function nextAtMinute(at: Date, minute: number, timeZone: string): Date {
  const today = dayAt(at, timeZone);
  const [first, second] = [today, addDays(today, 1)].map((day) => onDay(day, minute, timeZone));
  if (first && first > at) return first;
  return second && second > at ? second : onDay(addDays(today, 2), minute, timeZone);
}

/** On a day on which clocks skip the minute, the instant as long after midnight as on other days. */
function onDay(day: string, minute: number, timeZone: string): Date {
  const counted = new Date(startOfDay(day, timeZone).getTime() + minute * MINUTE_MS);
  const corrected = new Date(counted.getTime() + (minute - minuteAt(counted, timeZone)) * MINUTE_MS);
  const isShown = minuteAt(corrected, timeZone) === minute && dayAt(corrected, timeZone) === day;
  return isShown ? corrected : counted;
}

/** "21:30" as minutes after midnight; null for anything else. */
export function readMinute(text: string): number | null {
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  return hour === undefined ? null : Number(hour) * 60 + Number(minute);
}

/** Minutes after midnight as "21:30". */
export function minuteText(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
}
