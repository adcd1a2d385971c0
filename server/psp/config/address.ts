// Which addresses of a provider's API are allowed in PROVIDERS.
import { parseUrl } from "@/server/platform/url";

const LOOPBACK = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;

/** Returns true for an http or https address without query, fragment or credentials. */
export function isBaseUrl(text: string): boolean {
  const url = parseUrl(text);
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) return false;
  return url.search === "" && url.hash === "" && url.username === "" && url.password === "";
}

/** Returns true for an address whose traffic others on the network can read. */
export function isOpenlyReadable(text: string): boolean {
  const url = parseUrl(text);
  return url?.protocol === "http:" && !LOOPBACK.test(url.hostname);
}
