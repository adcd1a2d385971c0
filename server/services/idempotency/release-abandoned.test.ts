// After an outage, the keys of interrupted executions are free as soon as the database answers, and none waits forever.
import { beforeEach, expect, it, vi } from "vitest";
import { endLeasesAcrossMerchants, type LeasedKey } from "@/server/db/idempotency";

const released = vi.hoisted(() => ({ log: [] as unknown[] }));
const sleeps = vi.hoisted(() => ({ options: [] as unknown[] }));
vi.mock("@/server/db/idempotency", () => ({ endLeasesAcrossMerchants: vi.fn<typeof endLeasesAcrossMerchants>() }));
vi.mock("@/server/platform/log", () => ({ log: () => ({ info: (fields: unknown) => released.log.push(fields) }) }));
vi.mock("node:timers/promises", () => ({
  setTimeout: (ms: number, _value: unknown, options: unknown) => {
    sleeps.options.push(options);
    return new Promise<void>((resolve) => globalThis.setTimeout(resolve, ms));
  },
}));

const endLeases = vi.mocked(endLeasesAcrossMerchants);
const keyOf = (holder: string): LeasedKey => ({ merchantId: "mer_1", apiKeyId: "key_1", key: `k ${holder}`, holder });
const holdersAsked = () => endLeases.mock.calls.map(([keys]) => keys.map(({ holder }) => holder));

let releaseOnceReachable: (key: LeasedKey) => void;
beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  endLeases.mockReset();
  released.log.length = 0;
  sleeps.options.length = 0;
  ({ releaseOnceReachable } = await import("./release-abandoned"));
});

it("asks twice a second until the database answers, for all keys at once, and then never again", async () => {
  endLeases.mockRejectedValueOnce(new Error("away")).mockRejectedValueOnce(new Error("away"));
  endLeases.mockImplementation(async (keys) => keys.map(({ holder }) => holder));
  releaseOnceReachable(keyOf("a"));
  await vi.advanceTimersByTimeAsync(600);
  releaseOnceReachable(keyOf("b"));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(holdersAsked()).toEqual([["a"], ["a", "b"], ["a", "b"]]);
  expect(released.log).toEqual([{ keys: 2 }]);
});

it("goes on for a claim that arrives within 5 s of the database's first answer, and gives up on one that never does", async () => {
  const arrivesAt = Date.now() + 4_000;
  endLeases.mockImplementation(async (keys) =>
    keys.flatMap(({ holder }) => (holder === "late" && Date.now() >= arrivesAt ? [holder] : [])),
  );
  for (const holder of ["late", "never"]) releaseOnceReachable(keyOf(holder));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(released.log).toEqual([{ keys: 1 }]);
  expect(holdersAsked().filter((holders) => holders.includes("late"))).toHaveLength(8);
  // The first answer came after 0.5 s, and the claims may take 5 s more.
  expect(holdersAsked().filter((holders) => holders.includes("never"))).toHaveLength(12);
});

it("does not give up during an outage, however long, nor keep a process alive that wants to end", async () => {
  const endsAt = Date.now() + 60_000;
  endLeases.mockImplementation(async (keys) => {
    if (Date.now() < endsAt) throw new Error("away");
    return keys.map(({ holder }) => holder);
  });
  releaseOnceReachable(keyOf("a"));
  await vi.advanceTimersByTimeAsync(61_000);
  expect(released.log).toEqual([{ keys: 1 }]);
  expect(sleeps.options.filter((options) => JSON.stringify(options) !== '{"ref":false}')).toEqual([]);
});

it("starts again for the next outage", async () => {
  endLeases.mockImplementation(async (keys) => keys.map(({ holder }) => holder));
  releaseOnceReachable(keyOf("a"));
  await vi.advanceTimersByTimeAsync(2_000);
  releaseOnceReachable(keyOf("b"));
  await vi.advanceTimersByTimeAsync(2_000);
  expect(holdersAsked()).toEqual([["a"], ["b"]]);
});

it("holds ten thousand keys at most, and lets the oldest wait for their leases", async () => {
  endLeases.mockImplementation(async (keys) => keys.map(({ holder }) => holder));
  for (let n = 0; n < 10_002; n += 1) releaseOnceReachable(keyOf(`h${n}`));
  await vi.advanceTimersByTimeAsync(600);
  const [holders] = holdersAsked();
  expect(holders).toHaveLength(10_000);
  expect(holders).toContain("h10001");
  expect(holders).not.toContain("h1");
});
