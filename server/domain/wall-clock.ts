// What a wall clock of a zone shows at an instant, and when it shows the beginning of a day.

const DAY_MS = 24 * 60 * 60 * 1_000;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    const number = "2-digit";
    format = new Intl.DateTimeFormat("en-GB", {
      timeZone: zone,
      calendar: "gregory",
      numberingSystem: "latn",
      hourCycle: "h23",
      year: "numeric",
      month: number,
      day: number,
      hour: number,
      minute: number,
      second: number,
      timeZoneName: "short",
    });
    formats.set(zone, format);
  }
  return format;
}

/** The zone's name as it is written everywhere, whatever its case was; null for what is no zone. */
export function zoneNamed(name: string): string | null {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

export interface WallClock {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** As people of the zone call it, such as "CET" or "GMT-3". */
  readonly zoneName: string;
}

/** What the clock shows in the zone, an IANA name, at an instant in ms since 1970. */
export function wallClock(instant: number, zone: string): WallClock {
  const parts = formatOf(zone).formatToParts(instant);
  const text = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? "";
  const [year, month, day] = [Number(text("year")), Number(text("month")), Number(text("day"))];
  const [hour, minute, second] = [Number(text("hour")), Number(text("minute")), Number(text("second"))];
  return { year, month, day, hour, minute, second, zoneName: text("timeZoneName") };
}

/** How far the clock is ahead of UTC, in ms. */
function offsetAt(instant: number, zone: string): number {
  const { year, month, day, hour, minute, second } = wallClock(instant, zone);
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1_000) * 1_000;
}

/**
 * The first instant of a day, in ms since 1970. Where clocks change at midnight, that is not always the instant which they
 * would have called midnight before or after: of the two, the first that lies within the day. A day that a zone has left
 * out begins where the next one does.
 */
export function beginningOfDay(year: number, month: number, day: number, zone: string): number {
  const midnight = Date.UTC(year, month - 1, day);
  const candidates = [midnight - DAY_MS, midnight + DAY_MS].map((near) => midnight - offsetAt(near, zone));
  const wanted = new Date(midnight).getUTCDate();
  return candidates.sort((a, b) => a - b).find((at) => wallClock(at, zone).day === wanted) ?? Math.max(...candidates);
}
