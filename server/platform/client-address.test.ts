// Tests that only trusted proxies name the caller, and that limits count networks.
import { BlockList, isIP } from "node:net";
import fc from "fast-check";
import { expect, it } from "vitest";
import { clientAddress, isAddressIn, limitedNetwork, parseNetworks } from "./client-address";

const PROXIES = parseNetworks(["10.0.0.0/8", "2001:db8::/32"]) ?? new BlockList();

it.each([
  ["a forged header without a trusted proxy", "192.0.2.1", "203.0.113.9", "192.0.2.1"],
  ["no header", "10.0.0.1", null, "10.0.0.1"],
  ["the caller that a proxy names", "10.0.0.1", "203.0.113.9", "203.0.113.9"],
  ["a forged entry before the proxy's", "10.0.0.1", "198.51.100.1, 203.0.113.9", "203.0.113.9"],
  ["two proxies", "10.0.0.1", "198.51.100.1, 203.0.113.9, 10.0.0.2", "203.0.113.9"],
  ["a mapped connection", "::ffff:10.0.0.1", "::ffff:203.0.113.9", "203.0.113.9"],
  ["a proxy of IPv6", "2001:db8::1", "2001:DB9:0::1", "2001:db9::1"],
  ["an entry that is no address", "10.0.0.1", "203.0.113.9, unknown", "10.0.0.1"],
  ["15 KiB of text", "10.0.0.1", "a".repeat(15_000), "10.0.0.1"],
  ["an empty header", "10.0.0.1", "", "10.0.0.1"],
  ["a connection that has ended", "", "203.0.113.9", ""],
])("%s: %s with %j is %s", (_title, connection, forwardedFor, expected) =>
  expect(clientAddress(connection, forwardedFor, PROXIES)).toBe(expected),
);

it("reads every address that a proxy may write, and never throws", () => {
  const entry = fc.oneof(fc.ipV4(), fc.ipV6(), fc.ipV4Extended(), fc.string());
  fc.assert(
    fc.property(fc.array(entry), (entries) => {
      const address = clientAddress("10.0.0.1", entries.join(","), PROXIES);
      expect(isIP(address)).not.toBe(0);
      expect(isIP(limitedNetwork(address).replace("/64", ""))).not.toBe(0);
    }),
    { numRuns: 5_000 },
  );
});

it("trusts nobody by default", () =>
  expect(clientAddress("127.0.0.1", "203.0.113.9", new BlockList())).toBe("127.0.0.1"));

it.each(["10.0.0.0", "10.0.0.0/33", "proxy/8", "", "010.0.0.0/8", "10/8", "10.1/16", "0x7f.1/32", "2130706433/32"])(
  "%j is no network",
  (cidr) => expect(parseNetworks([cidr])).toBeNull(),
);

it("an address is inside the networks of a list, and nothing is inside a list with a fault", () => {
  const networks = ["203.0.113.0/24", "2001:db8::/48"];
  for (const address of ["203.0.113.7", "2001:db8:0:1::1"]) expect(isAddressIn(address, networks)).toBe(true);
  for (const address of ["203.0.114.7", "2001:db8:1::1", "", "x"]) expect(isAddressIn(address, networks)).toBe(false);
  expect(isAddressIn("203.0.113.7", [...networks, "x"])).toBe(false);
});

it("limits count an IPv4 address, and all addresses of an IPv6 /64 as one", () => {
  expect(limitedNetwork("192.0.2.1")).toBe("192.0.2.1");
  expect(limitedNetwork("2001:db8:1:2:3::4")).toBe("2001:db8:1:2::/64");
  expect(limitedNetwork("2001:db8:1:2:ffff::")).toBe("2001:db8:1:2::/64");
  expect(limitedNetwork("")).toBe("");
});
