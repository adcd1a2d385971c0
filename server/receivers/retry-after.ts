// Reading Retry-After: how long a receiver may ask us to stay away.

const SHORTEST_MS = 1_000;
const LONGEST_MS = 24 * 3_600_000;
/** The one form of HTTP-date that may be sent; anything looser would let "-1" pass for a year. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Milliseconds from `at`, between a second and a day; null for what is absent, in the past or not in the form. */
export function readRetryAfter(value: string | readonly string[] | undefined, at: Date): number | null {
  if (typeof value !== "string") return null;
  const text = value.trim();
  const ms = HTTP_DATE.test(text) ? Date.parse(text) - at.getTime() : /^\d+$/.test(text) ? Number(text) * 1_000 : -1;
  return ms >= 0 ? Math.min(Math.max(ms, SHORTEST_MS), LONGEST_MS) : null;
}
