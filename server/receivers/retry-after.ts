// Reads Retry-After and limits its delay.

const SHORTEST_MS = 1_000;
const LONGEST_MS = 24 * 3_600_000;
/** The only valid HTTP-date format; a looser parser would read "-1" as a year. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Returns milliseconds from `at`, from a second to a day; null if absent, in the past or malformed. */
export function readRetryAfter(value: string | readonly string[] | undefined, at: Date): number | null {
  if (typeof value !== "string") return null;
  const text = value.trim();
  const ms = HTTP_DATE.test(text) ? Date.parse(text) - at.getTime() : /^\d+$/.test(text) ? Number(text) * 1_000 : -1;
  return ms >= 0 ? Math.min(Math.max(ms, SHORTEST_MS), LONGEST_MS) : null;
}
