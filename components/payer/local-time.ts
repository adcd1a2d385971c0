// Times and durations as the reader of a locale writes them.

/** An ISO instant in a zone, an IANA name: ("2026-11-01T09:05:00Z", "pt-BR", "America/Sao_Paulo") → "1 de nov. de 2026, 06:05 BRT". */
export function localInstant(iso: string, locale: string, zone: string): string {
  return new Intl.DateTimeFormat(locale, {
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
    timeZone: zone,
  }).format(new Date(iso));
}

/** The remaining time, in ms: "2 days 3 hr", "3 hr 5 min", "29:59", and "0:00" once it is over. */
export function remainingText(ms: number, locale: string): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const count = (value: number, unit: "day" | "hour" | "minute") =>
    new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "short" }).format(value);
  if (hours >= 24) return `${count(Math.floor(hours / 24), "day")} ${count(hours % 24, "hour")}`;
  if (hours >= 1) return `${count(hours, "hour")} ${count(minutes % 60, "minute")}`;
  const digits = (value: number, least: number) =>
    new Intl.NumberFormat(locale, { minimumIntegerDigits: least }).format(value);
  return `${digits(minutes, 1)}:${digits(seconds % 60, 2)}`;
}
