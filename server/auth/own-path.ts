// The targets that a redirect may have: paths of this origin.
import { parseUrl } from "@/server/platform/url";

/** A name that no site can have. */
const SELF = "http://self.invalid";

/**
 * Returns a requested redirect target as path and query if it stays within this origin, or null. Parses the target like
 * a browser, which drops tabs and line breaks and reads a backslash as a slash.
 */
export function ownPath(target: string | undefined): string | null {
  if (!target?.startsWith("/") || /\p{Cc}/u.test(target)) return null;
  const url = parseUrl(target, SELF);
  // The path of "/.//site" is "//site", which names a site when it is parsed again.
  if (url?.origin !== SELF || url.pathname.startsWith("//")) return null;
  return url.pathname + url.search;
}
