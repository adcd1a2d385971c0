import { wallClock } from "@/server/domain/wall-clock";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;

/** An ISO instant in UTC, the same text on every machine: "21 Nov 2026, 09:05 UTC". */
export function utcText(iso: string): string {
  const at = new Date(iso);
  const time = `${pad(at.getUTCHours())}:${pad(at.getUTCMinutes())}`;
  return `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]} ${at.getUTCFullYear()}, ${time} UTC`;
}

/** An ISO instant in a zone, an IANA name, shown by its common abbreviation: "21 Nov 2026, 10:05 CET". */
export function zonedText(iso: string, zone: string): string {
  const { year, month, day, hour, minute, zoneName } = wallClock(Date.parse(iso), zone);
  return `${day} ${MONTHS[month - 1]} ${year}, ${pad(hour)}:${pad(minute)} ${zoneName}`;
}

/** How long ago, in ms, as one unit: "just now", "5 min ago", "3 h ago", "12 d ago". */
export function ageText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ago` : `${Math.floor(hours / 24)} d ago`;
}

/** The remaining time, in ms, as one unit, rounded down: "6 d", "3 h", "5 min", and "now" once it is over. */
export function leftText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}
