// Distinguishes forms of our own pages from those of other sites.
import { env } from "@/server/platform/env";
import { parseUrl } from "@/server/platform/url";

/**
 * Returns true if the browser states that the request comes from a page of this origin. Sec-Fetch-Site takes
 * precedence, because a page without referrer sends `Origin: null` with its forms. Without either header it returns
 * false.
 */
export function isSameOrigin(headers: Headers): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  const origin = parseUrl(headers.get("origin") ?? "");
  return origin !== null && (origin.origin === env().baseUrl || origin.host === headers.get("host"));
}
