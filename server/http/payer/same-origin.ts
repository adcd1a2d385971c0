// Owns telling a form of our own pages from one of another site.
import { env } from "@/server/platform/env";
import { parseUrl } from "@/server/platform/url";

/**
 * True when the browser says that the request comes from a page of this origin. Sec-Fetch-Site leads, since a page
 * without referrer sends `Origin: null` with its forms. A request that says nothing is not from our page.
 */
export function isSameOrigin(headers: Headers): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  const origin = parseUrl(headers.get("origin") ?? "");
  return origin !== null && (origin.origin === env().baseUrl || origin.host === headers.get("host"));
}
