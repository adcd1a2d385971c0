// Converts the days of a reader's zone to the instants of the interface.

import { dayAt } from "@/server/domain/days";
import { beginningOfDay } from "@/server/domain/wall-clock";
import { useTimeZone } from "../time/time-zone";

export interface Days {
  /** The first instant of a day, ISO 8601 in UTC; empty if there is no day. */
  startOfDay(day: string): string;
  /** The first instant after the day: `created_before` excludes its bound (interface §4.4). */
  endOfDay(day: string): string;
  /** The day that an instant of `startOfDay` begins, as a date field holds it; empty if there is no instant. */
  dayOfStart(iso: string | undefined): string;
  /** The last day that a bound of `endOfDay` includes. */
  dayOfEnd(iso: string | undefined): string;
}

/** The days of the reader's zone. */
export function useDays(): Days {
  return daysOf(useTimeZone());
}

/** The days of a zone, an IANA name. */
export function daysOf(zone: string): Days {
  function instantOf(text: string, later: number): string {
    const [year, month, day] = text.split("-").map(Number);
    if (!year || !month || !day) return "";
    const at = beginningOfDay(year, month, day + later, zone);
    return Number.isNaN(at) ? "" : new Date(at).toISOString();
  }
  function dayOf(iso: string | undefined, shiftMs: number): string {
    const at = Date.parse(iso ?? "") + shiftMs;
    return Number.isNaN(at) ? "" : dayAt(new Date(at), zone);
  }
  return {
    startOfDay: (text) => instantOf(text, 0),
    endOfDay: (text) => instantOf(text, 1),
    dayOfStart: (iso) => dayOf(iso, 0),
    dayOfEnd: (iso) => dayOf(iso, -1),
  };
}
