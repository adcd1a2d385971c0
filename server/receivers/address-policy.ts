// Decides which addresses and URLs may be called: a receiver is a public host, never part of our own network.
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { parseUrl } from "@/server/platform/url";

export interface ReceiverPolicy {
  /** True for live: a message about money is always encrypted. */
  readonly httpsOnly: boolean;
  /** For tests and development: this machine may be called, on any port. */
  readonly allowLoopback: boolean;
}

/** Reasons are predicates, such as "must use https", in sentences whose subject is the URL. */
export type Refusal = { readonly ok: false; readonly why: string };

export const MUST_BE_PUBLIC = "must lead to public addresses only, not to a private, local or reserved network";

const MUST_BE_URL = "must be an absolute URL such as https://example.com/hooks";
const MAXIMUM_URL_LENGTH = 2_048;
const PORTS: Readonly<Record<string, readonly number[]>> = { "https:": [443, 8443], "http:": [80, 8080] };
/** Names that never leave the machine or its network. */
const LOCAL_SUFFIXES = [".localhost", ".local", ".internal"];
/** Azure's host service, reachable by every guest, in a range registered as public. */
const PLATFORM_SERVICES = ["168.63.129.16"];

/**
 * Returns true if connections to `address`, a literal in normal form, are allowed. Rejects all that are not known to be
 * public.
 */
export function mayConnectTo(address: string, policy: ReceiverPolicy): boolean {
  if (isIP(address) === 0 || PLATFORM_SERVICES.includes(address)) return false;
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (range === "loopback") return policy.allowLoopback;
  return range === "unicast" && (parsed instanceof ipaddr.IPv4 || isGlobalUnicast(parsed));
}

/** Only 2000::/3 is allocated; ranges outside it include those that embed IPv4 addresses. */
function isGlobalUnicast(address: ipaddr.IPv6): boolean {
  return address.match(ipaddr.IPv6.parseCIDR("2000::/3"));
}

/** Returns the literal in a URL's host, without brackets, or null if the host is a name. */
export function literalIn(url: URL): string | null {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return isIP(host) === 0 ? null : host;
}

/** Returns true for names of this machine. */
export function isLoopbackName(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost");
}

/**
 * Checks whether `text` can be a receiver's URL: an absolute https URL (or http, unless the policy forbids it) of a
 * public host on an allowed port, without credentials and fragment. Does not resolve host names. Serves interface §6.
 */
export function checkReceiverUrl(
  text: string,
  policy: ReceiverPolicy,
): { readonly ok: true; readonly url: URL } | Refusal {
  const written = writtenFault(text);
  if (written !== null) return { ok: false, why: written };
  const url = parseUrl(text);
  if (url === null) return { ok: false, why: MUST_BE_URL };
  const fault = schemeFault(url, policy) ?? hostFault(url, policy) ?? portFault(url, policy);
  return fault === null ? { ok: true, url } : { ok: false, why: fault };
}

/** Returns a fault that parsing repairs, so that the parsed URL hides it, or null. */
function writtenFault(text: string): string | null {
  if (text.length > MAXIMUM_URL_LENGTH) return `must have at most ${MAXIMUM_URL_LENGTH} characters`;
  if (!/^[!-[\]-~\u0080-\uffff]*$/.test(text)) return "must not contain spaces, control characters or backslashes";
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (authority === undefined) return MUST_BE_URL;
  if (authority.includes("@")) return "must not contain a user name or password";
  if (text.includes("#")) return "must not contain a fragment (#)";
  return null;
}

function schemeFault(url: URL, policy: ReceiverPolicy): string | null {
  return policy.httpsOnly && url.protocol !== "https:" ? "must use https" : null;
}

function hostFault(url: URL, policy: ReceiverPolicy): string | null {
  const literal = literalIn(url);
  if (literal !== null) return mayConnectTo(literal, policy) ? null : MUST_BE_PUBLIC;
  const host = url.hostname;
  if (policy.allowLoopback && isLoopbackName(host)) return null;
  if (host.endsWith(".")) return "must not have a dot at the end of its host name";
  const isLocal = !host.includes(".") || LOCAL_SUFFIXES.some((suffix) => host.endsWith(suffix));
  return isLocal ? MUST_BE_PUBLIC : null;
}

function portFault(url: URL, policy: ReceiverPolicy): string | null {
  const literal = literalIn(url);
  const isThisMachine = literal === null ? isLoopbackName(url.hostname) : ipaddr.parse(literal).range() === "loopback";
  if (policy.allowLoopback && isThisMachine) return null;
  const ports = PORTS[url.protocol] ?? [];
  if (url.port === "" || ports.includes(Number(url.port))) return null;
  return `must use port ${ports.join(" or ")}`;
}
