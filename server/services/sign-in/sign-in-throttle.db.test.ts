// How often signing in may fail.
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { disconnect, query } from "@/server/db/client";
import { createSignInThrottle, type SignInThrottle } from "./sign-in-throttle";

const LIMITS = { failuresPerAccount: 3, failuresPerAddress: 5, windowMs: 60_000 };
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

function beginAt(ms: number, address: string): Promise<boolean> {
  vi.setSystemTime(START + ms);
  return throttle.begin(account, address);
}

/** How many of `attempts` that begin at the same moment may go on. */
async function allowed(begin: (attempt: number) => Promise<boolean>, attempts: number): Promise<number> {
  const verdicts = await Promise.all(Array.from({ length: attempts }, (_, attempt) => begin(attempt)));
  return verdicts.filter(Boolean).length;
}

describe("the throttle of signing in", () => {
  it("lets no more attempts through than the limit, though none has failed yet when the last one begins", async () => {
    expect(await allowed(() => throttle.begin(account, randomUUID()), 100)).toBe(3);
  });

  it("lets no more through in several processes, nor after a restart", async () => {
    const processes = [throttle, newThrottle(), newThrottle()];
    expect(await allowed((n) => (processes[n % 3] ?? throttle).begin(account, randomUUID()), 60)).toBe(3);
    expect(await newThrottle().begin(account, randomUUID())).toBe(false);
  });

  it("limits an account whatever addresses are used, and an address whatever accounts", async () => {
    expect(await allowed(() => throttle.begin(account, randomUUID()), 100)).toBe(3);
    expect(await allowed(() => throttle.begin(randomUUID(), home), 100)).toBe(5);
  });

  it("counts passwords and codes separately", async () => {
    expect(await allowed(() => throttle.begin(account, randomUUID()), 10)).toBe(3);
    expect(await createSignInThrottle("code", LIMITS).begin(account, home)).toBe(true);
  });

  it("rejects for a whole window after the last failure allowed, then starts again from none", async () => {
    for (const at of [0, 24_000, 54_000]) expect(await beginAt(at, home)).toBe(true);
    expect(await beginAt(113_999, randomUUID())).toBe(false);
    vi.setSystemTime(START + 114_000);
    expect(await newThrottle().begin(account, randomUUID())).toBe(true);
  });

  it("answers for a resting account without the database, for five seconds", async () => {
    expect(await allowed(() => throttle.begin(account, randomUUID()), 4)).toBe(3);
    await newThrottle().succeed(account, home);
    expect(await beginAt(4_999, randomUUID())).toBe(false);
    expect(await beginAt(5_001, randomUUID())).toBe(true);
  });

  it("does not lengthen the pause when somebody keeps trying", async () => {
    for (let at = 0; at < 60_000; at += 1_000) await beginAt(at, randomUUID());
    expect(await beginAt(68_000, randomUUID())).toBe(true);
  });

  it("counts attempts on an account that rests for their address, and no attempt of an address that rests", async () => {
    expect(await allowed(() => throttle.begin(account, home), 100)).toBe(3);
    expect(await allowed(() => throttle.begin(randomUUID(), home), 10)).toBe(0);
    const victim = randomUUID();
    await allowed(() => throttle.begin(victim, home), 100);
    expect(await allowed(() => throttle.begin(victim, randomUUID()), 10)).toBe(3);
  });

  it("forgets the account's failures once its member is in, not those of the address", async () => {
    for (let failure = 0; failure < 3; failure += 1) await throttle.begin(account, home);
    await throttle.succeed(account, home);
    expect(await allowed(() => throttle.begin(account, randomUUID()), 10)).toBe(3);
    expect(await allowed(() => throttle.begin(randomUUID(), home), 10)).toBe(3);
  });

  it("stores neither the account nor the address", async () => {
    await throttle.begin("ana@staff.example", "192.0.2.1");
    const keys = await query<{ key: string }>("SELECT key FROM sign_in_count");
    expect(keys.length).toBeGreaterThan(1);
    for (const { key } of keys) expect(key).not.toMatch(/ana@|staff|192\.0/);
  });
});
