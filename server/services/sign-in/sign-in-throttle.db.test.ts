// How often signing in may fail.
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { disconnect, query } from "@/server/db/client";
import { createSignInThrottle, type SignInThrottle } from "./sign-in-throttle";

const LIMITS = { failuresPerSource: 3, failuresPerMember: 7, failuresPerAddress: 5, windowMs: 60_000 };
const START = Date.parse("2026-01-01T00:00:00Z");

const newThrottle = () => createSignInThrottle("password", LIMITS);

let throttle: SignInThrottle;
let account: string;
let home: string;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: START });
  throttle = newThrottle();
  [account, home] = [randomUUID(), randomUUID()];
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(disconnect);

const begin = (address: string) => throttle.begin(account, { kind: "address", address });
const from = async (address: string) => ((await throttle.beginFrom(address)) ? { number: 1 } : null);

function beginAt(ms: number) {
  vi.setSystemTime(START + ms);
  return begin(home);
}

/** How many of `attempts` that begin at the same moment may go on. */
async function allowed(attempt: (index: number) => Promise<object | null>, attempts: number): Promise<number> {
  const verdicts = await Promise.all(Array.from({ length: attempts }, (_, index) => attempt(index)));
  return verdicts.filter((verdict) => verdict !== null).length;
}

describe("the throttle of signing in", () => {
  it("lets no more attempts through than the limit, though none has failed yet when the last one begins", async () => {
    expect(await allowed(() => begin(home), 100)).toBe(3);
    expect(await allowed(() => throttle.begin(account, { kind: "device", id: "d" }), 100)).toBe(3);
    expect(await allowed(() => throttle.begin(account, { kind: "session" }), 100)).toBe(3);
  });

  it("two processes share one count, and so does one after a restart", async () => {
    const processes = [throttle, newThrottle(), newThrottle()];
    const source = { kind: "address", address: home } as const;
    expect(await allowed((n) => (processes[n % 3] ?? throttle).begin(account, source), 60)).toBe(3);
    expect(await newThrottle().begin(account, source)).toBeNull();
  });

  it("a distributed attack on one account is bounded", async () => {
    expect(await allowed(() => begin(randomUUID()), 100)).toBe(7);
  });

  it("one source cannot use up the attempts of others", async () => {
    expect(await allowed(() => begin(home), 100)).toBe(3);
    expect(await allowed(() => begin(randomUUID()), 3)).toBe(3);
  });

  it("the /64 of an IPv6 address is one source", async () => {
    expect(await allowed((n) => begin(`2001:db8:1:2::${n + 1}`), 20)).toBe(3);
  });

  it("failures elsewhere do not use up the attempts of a known device or an open session", async () => {
    await allowed(() => begin(randomUUID()), 100);
    expect(await allowed(() => throttle.begin(account, { kind: "device", id: "d" }), 10)).toBe(3);
    expect(await allowed(() => throttle.begin(account, { kind: "device", id: "e" }), 10)).toBe(3);
    expect(await allowed(() => throttle.begin(account, { kind: "session" }), 10)).toBe(3);
  });

  it("limits a source whatever the account, and returns the attempt of a success", async () => {
    expect(await allowed(() => from(home), 100)).toBe(5);
    const office = randomUUID();
    for (let success = 0; success < 20; success += 1) {
      expect(await throttle.beginFrom(office)).toBe(true);
      await throttle.succeedFrom(office);
    }
    expect(await allowed(() => from(office), 10)).toBe(5);
  });

  it("counts passwords and codes separately", async () => {
    expect(await allowed(() => begin(home), 10)).toBe(3);
    expect(
      await createSignInThrottle("code", LIMITS).begin(account, { kind: "address", address: home }),
    ).not.toBeNull();
  });

  it("rejects for a whole window after the last failure allowed, then starts again from none", async () => {
    for (const at of [0, 24_000, 54_000]) expect(await beginAt(at)).not.toBeNull();
    expect(await beginAt(113_999)).toBeNull();
    vi.setSystemTime(START + 114_000);
    expect(await newThrottle().begin(account, { kind: "address", address: home })).not.toBeNull();
  });

  it("does not lengthen the pause when somebody keeps trying", async () => {
    for (let at = 0; at < 60_000; at += 1_000) await beginAt(at);
    expect(await beginAt(68_000)).not.toBeNull();
  });

  it("a success resets its own source only, and returns one attempt to the member's total", async () => {
    const other = randomUUID();
    await allowed(() => begin(home), 2);
    await allowed(() => begin(other), 2);
    await throttle.succeed(account, { kind: "address", address: home });
    expect(await allowed(() => begin(home), 10)).toBe(3);
    expect(await allowed(() => begin(other), 10)).toBe(1);
  });

  it("reports which attempt begins a pause, and of what", async () => {
    for (const source of [home, randomUUID()]) {
      expect([await begin(source), await begin(source), await begin(source)].map((one) => one?.pauses)).toEqual([
        null,
        null,
        "address",
      ]);
    }
    expect(await begin(randomUUID())).toEqual({ number: 7, pauses: "unknown_devices" });
    expect(await begin(randomUUID())).toBeNull();
  });

  it("stores neither the account nor the address", async () => {
    await throttle.begin("ana@staff.example", { kind: "address", address: "192.0.2.1" });
    await throttle.beginFrom("192.0.2.1");
    const keys = await query<{ key: string }>("SELECT key FROM sign_in_count");
    expect(keys.length).toBeGreaterThan(2);
    for (const { key } of keys) expect(key).not.toMatch(/ana@|staff|192\.0/);
  });
});
