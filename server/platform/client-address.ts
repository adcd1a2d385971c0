// The address of a caller behind proxies. Only proxies that the operator trusts may name one.
import { BlockList, isIP, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

/** Returns an address in normal form, IPv4 if it is mapped into IPv6, or null if the text is no address. */
function normalAddress(text: string): string | null {
  const address = text.trim().replace(/%.*$/, "");
  return isIP(address) === 0 ? null : ipaddr.process(address).toString();
}

function isInside(address: string, networks: BlockList): boolean {
  return networks.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

/** Returns the networks of CIDRs such as `10.0.0.0/8`, or null if one is invalid. */
export function parseNetworks(cidrs: readonly string[]): BlockList | null {
  const networks = new BlockList();
  for (const cidr of cidrs) {
    // A shortened or octal address would be read as another one than its author means.
    if (!ipaddr.isValidCIDR(cidr) || isIP(cidr.split("/", 1)[0] ?? "") === 0) return null;
    const [address, bits] = ipaddr.parseCIDR(cidr);
    networks.addSubnet(address.toString(), bits, address.kind());
  }
  return networks;
}

/** Tests whether an address lies in one of the CIDRs. False for an unknown address, and for a list with a fault. */
export function isAddressIn(address: string, cidrs: readonly string[]): boolean {
  const networks = parseNetworks(cidrs);
  return networks !== null && isIP(address) !== 0 && isInside(address, networks);
}

/**
 * Returns the caller's address: that of the connection, or, while the nearer hop is trusted, the entry before it in
 * X-Forwarded-For. Falls back to the connection's if an entry is no address. Empty if the connection has none.
 */
export function clientAddress(connection: string, forwardedFor: string | null, trusted: BlockList): string {
  const nearest = normalAddress(connection) ?? "";
  let address = nearest;
  for (const entry of forwardedFor?.split(",").reverse() ?? []) {
    if (address === "" || !isInside(address, trusted)) return address;
    const next = normalAddress(entry);
    if (next === null) return nearest;
    address = next;
  }
  return address;
}

/** Returns what limits count instead of an address: the /64 of IPv6, since one caller has all of it. */
export function limitedNetwork(address: string): string {
  if (!isIPv6(address)) return address;
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`).toString()}/64`;
}
