// The caller's address of requests that arrive through Next.

/**
 * Returns the last entry of X-Forwarded-For: the nearest proxy wrote it, or Next itself without a proxy. The caller can
 * forge earlier entries.
 */
export function clientAddress(headers: Headers): string {
  return headers.get("x-forwarded-for")?.split(",").at(-1)?.trim() ?? "";
}
