// Owns the caller's address for requests that reach us through Next.

/**
 * The last entry of X-Forwarded-For: what the nearest proxy wrote, or Next itself where there is none. Earlier entries
 * are the caller's own word.
 */
export function clientAddress(headers: Headers): string {
  return headers.get("x-forwarded-for")?.split(",").at(-1)?.trim() ?? "";
}
