// Rejects every spelling of a private address and accepts unusual but valid URLs.
import { describe, expect, it, vi } from "vitest";
import { checkReceiverUrl, mayConnectTo, type ReceiverPolicy } from "./address-policy";
import { checkReceiverHost } from "./resolve";
import { refusedUrls } from "./testing/refused-urls";
import { PUBLIC_IPV4, PUBLIC_IPV6, RESERVED_ADDRESSES } from "./testing/reserved-addresses";

vi.setConfig({ testTimeout: 60_000 });

const LIVE: ReceiverPolicy = { httpsOnly: true, allowLoopback: false };
const TEST: ReceiverPolicy = { httpsOnly: false, allowLoopback: false };
const DEVELOPMENT: ReceiverPolicy = { httpsOnly: false, allowLoopback: true };

const accepts = (text: string, policy: ReceiverPolicy) => checkReceiverUrl(text, policy).ok;

describe("addresses", () => {
  it("of every reserved range are rejected at both ends; their public neighbors are accepted", () => {
    expect(RESERVED_ADDRESSES.filter((address) => mayConnectTo(address, TEST))).toEqual([]);
    expect([...PUBLIC_IPV4, ...PUBLIC_IPV6].filter((address) => !mayConnectTo(address, TEST))).toEqual([]);
  });

  it("of this machine pass only if the policy allows them, and no others pass with them", () => {
    const passing = RESERVED_ADDRESSES.filter((address) => mayConnectTo(address, DEVELOPMENT));
    expect(passing.sort()).toEqual(["127.0.0.0", "127.0.0.1", "127.255.255.255", "::1"]);
  });

  it("that are malformed are rejected", () => {
    for (const text of ["", "localhost", "127.1", "0x7f.1", "1.2.3", "::1::", "1.2.3.4:80", "fe80::1%lo"])
      expect([text, mayConnectTo(text, DEVELOPMENT)]).toEqual([text, false]);
  });
});

describe("URLs that must be rejected", () => {
  const urls = refusedUrls();

  it("are at least 1,100", () => expect(urls.length).toBeGreaterThanOrEqual(1_100));

  it("are rejected when an endpoint is saved, in both environments, each with a reason", () => {
    for (const policy of [LIVE, TEST]) expect(urls.filter((url) => accepts(url, policy))).toEqual([]);
    for (const url of urls) expect(checkReceiverUrl(url, TEST)).toMatchObject({ why: expect.stringMatching(/^must /) });
  });

  it("are rejected as literals by the host check too, which does not rely on the URL check", async () => {
    const literals = urls.filter(
      (url) => URL.canParse(url) && /^https?:\/\/(\d+(\.\d+){3}|\[.*\])$/.test(new URL(url).origin),
    );
    expect(literals.length).toBeGreaterThan(500);
    const resolve = () => Promise.reject(new Error("literals need no name server"));
    for (const url of literals)
      expect([url, (await checkReceiverHost(new URL(url), TEST, resolve)).ok]).toEqual([url, false]);
  });

  it("are rejected with a reason that names only the rule", () => {
    const reasons = new Set(
      urls.map((url) => checkReceiverUrl(url, TEST)).map((answer) => (answer.ok ? "" : answer.why)),
    );
    expect(reasons.size).toBeLessThanOrEqual(9);
  });
});

describe("unusual but valid URLs", () => {
  it.each([
    "https://example.com",
    "HTTPS://EXAMPLE.COM/Hooks",
    "https://example.com:443/",
    "https://example.com:8443/hooks?a=b&c=d",
    "https://example.com/a@b?c=d:e@f",
    "https://example.com/http://127.0.0.1:22/",
    "https://example.com/?next=https://127.0.0.1/",
    "https://example.com/%00/..%2f",
    "https://example.com/%E2%91%A0/①",
    "https://bücher.example/",
    "https://xn--bcher-kva.example/",
    "https://hooks_in.example.com/",
    "https://127.0.0.1.example.com/",
    "https://localhost.example.com/",
    "https://internal.example.com/",
    "https://0x7f.example.com/",
    "https://8.8.8.8/",
    "https://0x08080808/",
    "https://134744072:8443/",
    "https://[2606:4700:4700::1111]/",
    "https://[2606:4700:4700:0:0:0:0:1111]:8443/",
    `https://example.com/${"x".repeat(2_000)}`,
    ...PUBLIC_IPV4.map((address) => `https://${address}/`),
    ...PUBLIC_IPV6.map((address) => `https://[${address}]/`),
  ])("%s", (url) => {
    expect(checkReceiverUrl(url, LIVE)).toEqual({ ok: true, url: new URL(url) });
    expect(accepts(url, TEST)).toBe(true);
  });

  it("pass every time: a URL with umlauts passes 20,000 times", () => {
    const verdicts = Array.from({ length: 20_000 }, () => accepts("https://bücher.example/", LIVE));
    expect(verdicts.filter((ok) => !ok)).toEqual([]);
  });

  it("may be http in the test environment only, on the ports of http", () => {
    for (const url of ["http://example.com/", "http://example.com:80/", "http://example.com:8080/"]) {
      expect([accepts(url, TEST), checkReceiverUrl(url, LIVE)]).toEqual([true, { ok: false, why: "must use https" }]);
    }
    expect(accepts("http://example.com:443/", TEST)).toBe(false);
    expect(accepts("https://example.com:80/", TEST)).toBe(false);
  });

  it("may name this machine, on any port, where the policy allows it, and no other machine", () => {
    const mine = [
      "http://127.0.0.1:5432/",
      "http://localhost:9/",
      "https://a.localhost:1/",
      "http://[::1]:65535/",
      "http://127.1/",
    ];
    expect(mine.filter((url) => !accepts(url, DEVELOPMENT))).toEqual([]);
    const others = ["http://10.0.0.1/", "http://[::ffff:127.0.0.1]/", "http://example.com:9/", "http://db.internal/"];
    expect(others.filter((url) => accepts(url, DEVELOPMENT))).toEqual([]);
    expect(accepts("http://127.0.0.1/", { httpsOnly: true, allowLoopback: true })).toBe(false);
  });
});
