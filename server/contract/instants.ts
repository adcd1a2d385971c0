// Instants on the wire: ISO 8601 in with an offset, UTC with milliseconds out.
import type { ShownInstant } from "@/server/domain/shown-intents";

const PATTERN = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:(Z)|([+-])(\d{2}):(\d{2}))$/;
const MINUTE_MS = 60_000;
const WIDEST_OFFSET_MINUTES = 14 * 60;

/**
 * Parses an ISO 8601 instant with an offset; returns null if invalid. Reads a space in place of the offset's sign as a
 * plus that the query string decoded. Rounds up to milliseconds, which keeps inclusive lower and exclusive upper bounds
 * exact for times stored in milliseconds (interface §4.4).
 */
export function parseInstant(text: string): Date | null {
  const match = PATTERN.exec(text.replace(/ (?=\d{2}:\d{2}$)/, "+"));
  if (!match) return null;
  const [, year, month, day, hour, minute, second = "00", fraction = "", utc, sign, offsetHour, offsetMinute] = match;
  const wall = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  const spelled = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  if (Number(year) < 1 || !isCalendarTime(wall, spelled)) return null;
  const offset = utc ? 0 : Number(offsetHour) * 60 + Number(offsetMinute);
  if (Number(offsetMinute ?? 0) > 59 || offset > WIDEST_OFFSET_MINUTES) return null;
  const milliseconds = Math.ceil(Number(`0.${fraction || "0"}`) * 1000);
  return new Date(wall + milliseconds - (sign === "-" ? -offset : offset) * MINUTE_MS);
}

/**
 * Returns false for 30 February, 24:00 and leap seconds, which `Date.UTC` would carry over, and for years below 100.
 */
function isCalendarTime(wall: number, spelled: string): boolean {
  return !Number.isNaN(wall) && new Date(wall).toISOString().startsWith(spelled);
}

/** Formats an instant for the wire, unless it has that form already. */
export function formatInstant(instant: ShownInstant): string {
  return typeof instant === "string" ? instant : instant.toISOString();
}
