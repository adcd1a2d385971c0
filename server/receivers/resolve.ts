// Resolves a receiver's host name without the system's thread pool and checks every address.
import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import {
  isLoopbackName,
  literalIn,
  MUST_BE_PUBLIC,
  mayConnectTo,
  type ReceiverPolicy,
  type Refusal,
} from "./address-policy";

const QUERY_TIMEOUT_MS = 2_000;
const QUERY_TRIES = 2;

/** Resolves a host name to all its IPv4 and IPv6 addresses; rejects or returns none if there are none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/**
 * Queries name servers directly: the machine's, or `servers` ("127.0.0.1:5353"). The system's lookup has four threads
 * for all receivers, so a few dead name servers would delay all deliveries. The hosts file is not read; names of this
 * machine resolve to loopback.
 */
export function createDnsResolve(servers?: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
  if (servers) resolver.setServers(servers);
  return async (host) => {
    if (isLoopbackName(host)) return ["127.0.0.1", "::1"];
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  };
}

/** Queries the machine's name servers. */
export const resolveByDns: Resolve = createDnsResolve();

export type Resolution =
  | { readonly ok: true; readonly addresses: readonly [LookupAddress, ...LookupAddress[]] }
  | { readonly ok: false; readonly error: "dns" | "refused_address"; readonly why: string };

/** Returns the addresses of a host name if connections to all of them are allowed. Never rejects. */
export async function resolveReceiver(host: string, policy: ReceiverPolicy, resolve: Resolve): Promise<Resolution> {
  const found = await resolve(host).catch(() => []);
  const [first, ...others] = found.map((address) => ({ address, family: isIP(address) }));
  if (!first) return { ok: false, error: "dns", why: "must have a host name that resolves to an address" };
  const isRefused = found.some((address) => !mayConnectTo(address, policy));
  return isRefused
    ? { ok: false, error: "refused_address", why: MUST_BE_PUBLIC }
    : { ok: true, addresses: [first, ...others] };
}

/**
 * Checks, when an endpoint is saved, that its host has addresses and all of them may be called. Each connection checks
 * again, since names can change. `url` has passed `checkReceiverUrl`. Serves interface §6.
 */
export async function checkReceiverHost(
  url: URL,
  policy: ReceiverPolicy,
  resolve: Resolve = resolveByDns,
): Promise<{ readonly ok: true } | Refusal> {
  const literal = literalIn(url);
  const resolution = await resolveReceiver(literal ?? url.hostname, policy, literal ? async () => [literal] : resolve);
  return resolution.ok ? { ok: true } : { ok: false, why: resolution.why };
}
