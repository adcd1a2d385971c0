import { expect, it } from "vitest";
import { createUnderWay } from "./under-way";

it("counts work until it ends, well or not, and is idle after the last one", async () => {
  const underWay = createUnderWay();
  await underWay.idle();
  const endings: (() => void)[] = [];
  const works = [0, 1, 2].map(() => underWay.track(new Promise<void>((resolve) => endings.push(resolve))));
  const failing = underWay.track(Promise.reject(new Error("it failed")));
  expect(underWay.count).toBe(4);
  await expect(failing).rejects.toThrow("it failed");
  let isIdle = false;
  const idle = [underWay.idle(), underWay.idle()].map((one) => one.then(() => (isIdle = true)));
  for (const end of endings.slice(1)) end();
  await Promise.all(works.slice(1));
  expect([underWay.count, isIdle]).toEqual([1, false]);
  endings[0]?.();
  await Promise.all(idle);
  expect([underWay.count, isIdle]).toEqual([0, true]);
});

it("also waits for work that begins before the last one has ended", async () => {
  const underWay = createUnderWay();
  const chained = underWay.track(
    Promise.resolve().then(() => {
      void underWay.track(Promise.resolve());
    }),
  );
  await underWay.idle();
  await chained;
  expect(underWay.count).toBe(0);
});
