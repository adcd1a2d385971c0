import type { LRUCache } from "lru-cache";
import { beforeEach, describe, expect, it } from "vitest";
import { RateLimited, slowDown, takeToken, takeTokens } from "./rate-limit";

const shared = globalThis as { sluiceEnv?: unknown; sluiceBuckets?: LRUCache<string, object> };

/** Ten per second on average, twenty at once. */
beforeEach(() => {
  process.env.RATE_LIMIT_PER_SECOND = "10";
  process.env.RATE_LIMIT_BURST = "20";
  delete shared.sluiceEnv;
  delete shared.sluiceBuckets;
});

/** How many of `count` calls at that moment are admitted. */
function admitted(caller: string, count: number, nowMs: number): number {
  let passed = 0;
  for (let n = 0; n < count; n += 1) {
    try {
      takeToken(caller, nowMs);
      passed += 1;
    } catch (error) {
      if (!(error instanceof RateLimited)) throw error;
    }
  }
  return passed;
}

function refusal(caller: string, nowMs: number): RateLimited {
  try {
    takeToken(caller, nowMs);
  } catch (error) {
    if (error instanceof RateLimited) return error;
  }
  throw new Error("not refused");
}

it("a request that costs more takes more, all or none, and is never impossible", () => {
  takeTokens("a", 15, 0);
  expect(() => takeTokens("a", 15, 0)).toThrow(RateLimited);
  expect(admitted("a", 100, 0)).toBe(5);
  expect(() => takeTokens("b", 1_000, 0)).not.toThrow();
  expect(admitted("b", 100, 0)).toBe(0);
});

it("strangers beyond the limit wait, but no more than a thousand at once", async () => {
  let answered = 0;
  const waiting = Array.from({ length: 1_200 }, () => slowDown().then(() => (answered += 1)));
  await new Promise(setImmediate);
  expect(answered).toBe(200);
  await Promise.all(waiting);
});

describe("a caller", () => {
  it("may burst once, and then as fast as the bucket refills", () => {
    expect(admitted("a", 100, 0)).toBe(20);
    expect(admitted("a", 100, 100)).toBe(1);
    expect(admitted("a", 100, 150)).toBe(0);
    expect(admitted("a", 100, 1_200)).toBe(11);
  });

  it("gets the sustained rate over a long time; rejected calls cost nothing", () => {
    let passed = 0;
    for (let ms = 0; ms <= 60_000; ms += 10) passed += admitted("a", 3, ms);
    expect(Math.abs(passed - (20 + 600))).toBeLessThanOrEqual(1);
  });

  it("never accumulates more than the burst", () => {
    expect(admitted("a", 100, 0)).toBe(20);
    expect(admitted("a", 100, 3_600_000)).toBe(20);
  });

  it("is not slowed by another", () => {
    expect(admitted("a", 100, 0)).toBe(20);
    expect(admitted("b", 100, 0)).toBe(20);
  });
});

describe("a rejection", () => {
  it("states when to retry, in whole seconds, and the policy", () => {
    admitted("a", 20, 0);
    const error = refusal("a", 0);
    expect(error).toMatchObject({ code: "rate_limited", retryAfterSeconds: 1, policy: '"default";q=20;w=2' });
    expect(error.state).toBe('"default";r=0;t=1');
  });

  it("is over at the stated time, however slow the limit", () => {
    process.env.RATE_LIMIT_PER_SECOND = "1";
    process.env.RATE_LIMIT_BURST = "1";
    delete shared.sluiceEnv;
    admitted("a", 1, 0);
    const wait = refusal("a", 0).retryAfterSeconds ?? 0;
    expect(admitted("a", 1, wait * 1000)).toBe(1);
  });
});

it("the caller that was quiet longest makes room for a new one; memory is bounded", () => {
  expect(admitted("busy", 500, 800_000)).toBeLessThan(500);
  const whileOthersCome = Array.from({ length: 50_001 }, (_, n) => {
    takeToken(`once-${n}`, 900_000);
    return n % 10_000 === 0 ? admitted("busy", 1, 800_000) : 0;
  });
  expect(new Set(whileOthersCome)).toEqual(new Set([0]));
  expect(shared.sluiceBuckets?.size).toBe(50_000);
  expect(shared.sluiceBuckets?.has("once-0")).toBe(false);
  expect(admitted("busy", 1, 800_000)).toBe(0);
});
