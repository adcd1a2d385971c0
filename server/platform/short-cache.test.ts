import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createShortCache } from "./short-cache";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
  // lru-cache never expires an entry that starts at 0; the clock of a running process is past that.
  vi.advanceTimersByTime(1);
});
afterEach(() => {
  vi.useRealTimers();
});

let count = 0;
const freshName = () => `test-${(count += 1)}`;

/** Returns a source whose value is its number of loads. */
function counting() {
  let loads = 0;
  return async () => (loads += 1);
}

it("loads once for many simultaneous and following gets of a key, and once per key", async () => {
  const cache = createShortCache<number>(freshName());
  const load = counting();
  expect(await Promise.all([cache.get("a", load), cache.get("a", load), cache.get("b", load)])).toEqual([1, 1, 2]);
  expect(await cache.get("a", load)).toBe(1);
});

it("returns a change within a second", async () => {
  const cache = createShortCache<number>(freshName());
  const load = counting();
  await cache.get("a", load);
  vi.advanceTimersByTime(900);
  expect(await cache.get("a", load)).toBe(1);
  vi.advanceTimersByTime(1);
  expect(await cache.get("a", load)).toBe(2);
});

it("returns a change at once after forget(), even during a load", async () => {
  const cache = createShortCache<string>(freshName());
  let finishOld = (_value: string): void => {};
  const old = cache.get("a", () => new Promise((resolve) => (finishOld = resolve)));
  cache.forget("a");
  expect(await cache.get("a", async () => "new")).toBe("new");
  finishOld("old");
  expect(await old).toBe("old");
  expect(await cache.get("a", async () => "newest")).toBe("new");
});

it("counts the lifetime from the start of a load, when the value may have been read", async () => {
  const cache = createShortCache<string>(freshName());
  let finishSlow = (_value: string): void => {};
  const slow = cache.get("a", () => new Promise((resolve) => (finishSlow = resolve)));
  vi.advanceTimersByTime(800);
  finishSlow("old");
  expect(await slow).toBe("old");
  vi.advanceTimersByTime(101);
  expect(await cache.get("a", async () => "new")).toBe("new");
});

it("caches no failure: the next get loads again", async () => {
  const cache = createShortCache<number>(freshName());
  await expect(cache.get("a", async () => Promise.reject(new Error("away")))).rejects.toThrow("away");
  expect(await cache.get("a", async () => 1)).toBe(1);
});

it("is one cache per name in the whole process, in all module graphs", async () => {
  const name = freshName();
  await createShortCache<number>(name).get("a", async () => 1);
  expect(await createShortCache<number>(name).get("a", async () => 2)).toBe(1);
  expect(await createShortCache<number>(freshName()).get("a", async () => 2)).toBe(2);
});

it("does not grow without bound", async () => {
  const name = freshName();
  const cache = createShortCache<number>(name);
  for (let n = 0; n < 10_001; n += 1) void cache.get(`key-${n}`, async () => n);
  const load = counting();
  expect(await cache.get("key-0", load)).toBe(1);
});

it("takes a value that was read elsewhere, for the rest of its lifetime, unless a newer one is there", async () => {
  const cache = createShortCache<string>(freshName());
  const startedAt = performance.now();
  vi.advanceTimersByTime(500);
  cache.put("a", "read before", startedAt);
  vi.advanceTimersByTime(400);
  expect(await cache.get("a", async () => "new")).toBe("read before");
  vi.advanceTimersByTime(1);
  expect(await cache.get("a", async () => "new")).toBe("new");
  cache.put("a", "read before", performance.now() - 1);
  expect(await cache.get("a", async () => "newest")).toBe("new");
});
