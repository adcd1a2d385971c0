// Checks every IPv4 and IPv6 address of a receiver, over real DNS.
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { checkReceiverHost, createDnsResolve, type Resolve } from "./resolve";
import { startNameServer, type Zone } from "./testing/name-server";

vi.setConfig({ testTimeout: 60_000 });

const POLICY = { httpsOnly: true, allowLoopback: false };
const [V4, V6] = ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"];
const zones = new Map<string, Zone>([
  ["both.example", { addresses: [V4, "93.184.216.35", V6] }],
  ["four.example", { addresses: [V4] }],
  ["six.example", { addresses: [V6] }],
  ["half.example", { addresses: [V4, V6], failing: "AAAA" }],
  ["private-four.example", { addresses: ["10.0.0.7", V6] }],
  ["private-six.example", { addresses: [V4, "fd00::7"] }],
  ["second.example", { addresses: [V4, "169.254.169.254"] }],
  ["mapped.example", { addresses: [V4, "::ffff:127.0.0.1"] }],
  ["empty.example", { addresses: [] }],
  ["localhost", { addresses: ["93.184.216.34"] }],
]);

let resolve: Resolve;
let stop: () => Promise<void>;
beforeAll(async () => {
  const server = await startNameServer(zones);
  resolve = createDnsResolve([server.address]);
  stop = server.stop;
});
afterAll(() => stop());

describe("resolving by DNS", () => {
  it("returns the addresses of both kinds, or of one kind when the other fails", async () => {
    expect([...(await resolve("both.example"))].sort()).toEqual([V6, V4, "93.184.216.35"].sort());
    expect(await resolve("four.example")).toEqual([V4]);
    expect(await resolve("six.example")).toEqual([V6]);
    expect(await resolve("half.example")).toEqual([V4]);
    expect(await resolve("empty.example")).toEqual([]);
    expect(await resolve("absent.example")).toEqual([]);
  });

  it("resolves the names of this machine without a lookup", async () => {
    expect(await resolve("localhost")).toEqual(["127.0.0.1", "::1"]);
    expect(await resolve("a.localhost")).toEqual(["127.0.0.1", "::1"]);
  });
});

describe("checkReceiverHost", () => {
  it.each(["both", "four", "six", "half"])("passes %s.example", async (name) => {
    expect(await checkReceiverHost(new URL(`https://${name}.example/`), POLICY, resolve)).toEqual({ ok: true });
  });

  it.each(["private-four", "private-six", "second", "mapped"])(
    "rejects %s.example for one of its addresses",
    async (name) => {
      const answer = await checkReceiverHost(new URL(`https://${name}.example/`), POLICY, resolve);
      expect(answer).toEqual({ ok: false, why: expect.stringMatching(/^must lead to public addresses only/) });
    },
  );

  it.each(["empty", "absent"])("rejects %s.example, which has no address", async (name) => {
    const answer = await checkReceiverHost(new URL(`https://${name}.example/`), POLICY, resolve);
    expect(answer).toEqual({ ok: false, why: expect.stringMatching(/^must have a host name that resolves/) });
  });
});
