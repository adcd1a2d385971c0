// Owns the proof of how often signing in may fail.
import { describe, expect, it } from "vitest";
import { createSignInThrottle } from "./sign-in-throttle";

const LIMITS = { failuresPerAccount: 3, failuresPerAddress: 5, windowMs: 1_000 };
const HOME = "192.0.2.1";

/** How many of `attempts` at the same moment may go on. */
function allowed(begin: (attempt: number) => boolean, attempts: number): number {
  return Array.from({ length: attempts }, (_, attempt) => begin(attempt)).filter(Boolean).length;
}

describe("the throttle of signing in", () => {
  it("lets no more attempts through than the limit, though none has failed yet when the last one begins", () => {
    const throttle = createSignInThrottle(LIMITS);
    expect(allowed(() => throttle.begin("a", HOME, 0), 100)).toBe(3);
  });

  it("limits an account whatever addresses are used, and an address whatever accounts", () => {
    const throttle = createSignInThrottle(LIMITS);
    expect(allowed((attempt) => throttle.begin("a", `198.51.100.${attempt}`, 0), 100)).toBe(3);
    expect(allowed((attempt) => throttle.begin(`b${attempt}`, HOME, 0), 100)).toBe(5);
  });

  it("refuses for a whole window after the last failure allowed, then starts anew", () => {
    const throttle = createSignInThrottle(LIMITS);
    for (const at of [0, 400, 900]) expect(throttle.begin("a", HOME, at)).toBe(true);
    expect(throttle.begin("a", HOME, 1_899)).toBe(false);
    expect(throttle.begin("a", HOME, 1_900)).toBe(true);
  });

  it("does not lengthen the pause when somebody keeps trying", () => {
    const throttle = createSignInThrottle(LIMITS);
    for (let at = 0; at < 1_000; at += 10) throttle.begin("a", HOME, at);
    expect(throttle.begin("a", HOME, 1_020)).toBe(true);
  });

  it("forgets the account's failures once its member is in, not those of the address", () => {
    const throttle = createSignInThrottle(LIMITS);
    throttle.begin("a", HOME, 0);
    throttle.begin("a", HOME, 0);
    throttle.begin("a", HOME, 0);
    throttle.succeed("a", HOME);
    expect(allowed(() => throttle.begin("a", `${HOME}0`, 0), 10)).toBe(3);
    expect(allowed((attempt) => throttle.begin(`b${attempt}`, HOME, 0), 10)).toBe(3);
  });
});
