import { expect, it } from "vitest";
import type { ApiKey } from "@/server/db/api-keys";
import { ServiceError } from "@/server/domain/errors";
import { createKeyLookUp } from "./look-up";

let count = 0;
/** The caches belong to the process, so that every test needs names of its own. */
const unused = () => `pk_${(count += 1)}`;
const keyOf = (publicKey: string) => ({ id: publicKey, publicKey }) as ApiKey;
const forFree = () => {};

it("strangers' look-ups run two at once, and delay no key that was found before", async () => {
  const [good, others] = [unused(), Array.from({ length: 50 }, unused)];
  const waiting: (() => void)[] = [];
  let isSlow = false;
  const lookUp = createKeyLookUp(async (publicKey) => {
    if (publicKey === good) return keyOf(good);
    if (isSlow) await new Promise<void>((resolve) => waiting.push(resolve));
    return null;
  });
  await lookUp.get(good, forFree);
  isSlow = true;
  const answers = others.map(async (other) => (await lookUp.get(other, forFree)).key);
  await new Promise(setImmediate);
  expect(waiting).toHaveLength(2);
  expect((await lookUp.get(good, forFree)).key).toEqual(keyOf(good));
  isSlow = false;
  for (const proceed of waiting) proceed();
  expect(new Set(await Promise.all(answers))).toEqual(new Set([null]));
});

it("a flood of unknown keys evicts no good key", async () => {
  const good = unused();
  let looksAtGood = 0;
  const lookUp = createKeyLookUp(async (publicKey) => {
    if (publicKey !== good) return null;
    looksAtGood += 1;
    return keyOf(good);
  });
  const startedAt = performance.now();
  await lookUp.get(good, forFree);
  await lookUp.get(good, forFree);
  const looks = looksAtGood;
  for (let n = 0; n < 10_001; n += 1) await lookUp.get(unused(), forFree);
  await lookUp.get(good, forFree);
  const lifetimes = Math.ceil((performance.now() - startedAt) / 900);
  expect(looksAtGood).toBeLessThan(looks + lifetimes);
});

it("a stranger is charged before the look-up, and not looked up where the charge is rejected", async () => {
  let looks = 0;
  const lookUp = createKeyLookUp(async (publicKey) => {
    looks += 1;
    return publicKey === "pk_good" ? keyOf(publicKey) : null;
  });
  let charges = 0;
  const charge = () => {
    charges += 1;
    if (charges > 3) throw new ServiceError("rate_limited", "Too many requests.", 1);
  };
  await Promise.all(["pk_good", unused(), unused()].map((publicKey) => lookUp.get(publicKey, charge)));
  await expect(lookUp.get(unused(), charge)).rejects.toMatchObject({ code: "rate_limited" });
  expect(looks).toBe(3);
  expect((await lookUp.get("pk_good", charge)).key).toEqual(keyOf("pk_good"));
  expect(charges).toBe(4);
});

it("a refused key in use waits for a stranger's place, and its owner does not", async () => {
  const good = unused();
  const waiting: (() => void)[] = [];
  let isSlow = false;
  const lookUp = createKeyLookUp(async (publicKey) => {
    if (isSlow) await new Promise<void>((resolve) => waiting.push(resolve));
    return publicKey === good ? keyOf(good) : null;
  });
  const inUse = await lookUp.get(good, forFree);
  lookUp.forget(good);
  await lookUp.get(good, forFree);
  isSlow = true;
  const others = [unused(), unused()].map((other) => lookUp.get(other, forFree));
  const refused = lookUp.refuse(good, inUse, forFree);
  await new Promise(setImmediate);
  expect(waiting).toHaveLength(2);
  expect((await lookUp.get(good, forFree)).key).toEqual(keyOf(good));
  isSlow = false;
  for (const proceed of waiting) proceed();
  await Promise.all([...others, refused]);
});

it("what a stranger's look-up read before a revocation is not served after it", async () => {
  const revoked = unused();
  let isRevoked = false;
  let proceed = (): void => {};
  const lookUp = createKeyLookUp(async (publicKey) => {
    if (isRevoked) return null;
    await new Promise<void>((resolve) => (proceed = resolve));
    return keyOf(publicKey);
  });
  const first = lookUp.get(revoked, forFree);
  await new Promise(setImmediate);
  isRevoked = true;
  lookUp.forget(revoked);
  proceed();
  await first;
  expect((await lookUp.get(revoked, forFree)).key).toBeNull();
});

it("strangers beyond those who may wait are rejected at once", async () => {
  let proceed = (): void => {};
  const gate = new Promise<void>((resolve) => (proceed = resolve));
  const lookUp = createKeyLookUp(async () => {
    await gate;
    return null;
  });
  const answers = Array.from({ length: 300 }, () =>
    lookUp.get(unused(), forFree).catch((error: unknown) => (error as ServiceError).code),
  );
  await new Promise(setImmediate);
  proceed();
  const rejected = (await Promise.all(answers)).filter((answer) => answer === "service_unavailable");
  expect(rejected.length).toBeGreaterThanOrEqual(98);
});
