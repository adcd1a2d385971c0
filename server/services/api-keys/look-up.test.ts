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
  const answers = others.map((other) => lookUp.get(other, forFree));
  await new Promise(setImmediate);
  expect(waiting).toHaveLength(2);
  expect(await lookUp.get(good, forFree)).toEqual(keyOf(good));
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
  expect(await lookUp.get("pk_good", charge)).toEqual(keyOf("pk_good"));
  expect(charges).toBe(4);
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
