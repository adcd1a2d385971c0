// Days as people name them, "2026-11-21": counting them, and the instants at which a zone begins them.
import { beginningOfDay, wallClock } from "./wall-clock";

const DAY_MS = 24 * 60 * 60 * 1_000;
const FORM = /^\d{4}-\d{2}-\d{2}$/;

/** Whether the text names a day that there is. */
export function isDay(text: string): boolean {
  return FORM.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text);
}

/** The day that many days later; earlier, where `count` is negative. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);
}

/** How many days from the first to the last, both counted; none or less where the last is before the first. */
export function countDays(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
}

/** Every day from the first to the last. */
export function daysBetween(from: string, to: string): string[] {
  return Array.from({ length: Math.max(0, countDays(from, to)) }, (_, index) => addDays(from, index));
}

/** The day that clocks of the zone, an IANA name, show at an instant. */
export function dayAt(instant: Date, zone: string): string {
  const { year, month, day } = wallClock(instant.getTime(), zone);
  return [String(year).padStart(4, "0"), pad(month), pad(day)].join("-");
}

/** The first instant of the day in the zone. */
export function startOfDay(day: string, zone: string): Date {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  return new Date(beginningOfDay(year, month, date, zone));
}

/** The first instants of every day from the first to the last, and the first one after them. */
export function dayStarts(from: string, to: string, zone: string): Date[] {
  return daysBetween(from, addDays(to, 1)).map((day) => startOfDay(day, zone));
}

/** The first instant of a month, such as "2026-11", in the zone, and the first one after it. */
export function monthIn(month: string, zone: string): { readonly from: Date; readonly to: Date } {
  const [year = 0, place = 0] = month.split("-").map(Number);
  const at = (y: number, m: number) => new Date(beginningOfDay(y, m, 1, zone));
  return { from: at(year, place), to: place === 12 ? at(year + 1, 1) : at(year, place + 1) };
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}
