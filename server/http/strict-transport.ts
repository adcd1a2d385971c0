// HSTS: browsers that have used the https origin never use plain HTTP with it again.
import { env } from "@/server/platform/env";

const TWO_YEARS = "max-age=63072000; includeSubDomains";

/** Returns the header of every answer while BASE_URL is https; none otherwise. */
export function strictTransport(): Readonly<Record<string, string>> {
  return env().baseUrl.startsWith("https://") ? { "strict-transport-security": TWO_YEARS } : {};
}
