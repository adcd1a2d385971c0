import { wallClock } from "@/server/domain/wall-clock";
import type { Texts } from "../i18n/dashboard-texts";

const MONTHS = [
  "common.jan",
  "common.feb",
  "common.mar",
  "common.apr",
  "common.may",
  "common.jun",
  "common.jul",
  "common.aug",
  "common.sep",
  "common.oct",
  "common.nov",
  "common.dec",
] as const;

/** The short name of a month, from 0. */
function monthText(texts: Texts, month: number): string {
  const key = MONTHS[month];
  return key === undefined ? "" : texts(key);
}

/** An ISO instant in UTC, the same text on every machine: "21 Nov 2026, 09:05 UTC". */
export function utcText(texts: Texts, iso: string): string {
  const at = new Date(iso);
  const time = `${pad(at.getUTCHours())}:${pad(at.getUTCMinutes())}`;
  return `${at.getUTCDate()} ${monthText(texts, at.getUTCMonth())} ${at.getUTCFullYear()}, ${time} UTC`;
}

/** An ISO instant in a zone, an IANA name, shown by its common abbreviation: "21 Nov 2026, 10:05 CET". */
export function zonedText(texts: Texts, iso: string, zone: string): string {
  const { year, month, day, hour, minute, zoneName } = wallClock(Date.parse(iso), zone);
  return `${day} ${monthText(texts, month - 1)} ${year}, ${pad(hour)}:${pad(minute)} ${zoneName}`;
}

/** The day of an ISO instant in a zone, without its year: "21 Nov". */
export function dayText(texts: Texts, iso: string, zone: string): string {
  const { month, day } = wallClock(Date.parse(iso), zone);
  return `${day} ${monthText(texts, month - 1)}`;
}

/** How long ago, in ms, as one unit: "just now", "5 min ago", "3 h ago", "12 d ago". */
export function ageText(texts: Texts, ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return texts("common.justNow");
  if (minutes < 60) return texts("common.minutesAgo", { minutes });
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? texts("common.hoursAgo", { hours }) : texts("common.daysAgo", { days: Math.floor(hours / 24) });
}

/** The remaining time, in ms, as one unit, rounded down: "6 d", "3 h", "5 min", and "now" once it is over. */
export function leftText(texts: Texts, ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return texts("common.now");
  if (minutes < 60) return texts("common.minutesLeft", { minutes });
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? texts("common.hoursLeft", { hours }) : texts("common.daysLeft", { days: Math.floor(hours / 24) });
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}
