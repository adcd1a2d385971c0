// The pure parts of the life bench: the search for the rate, growing queues, the count of rows, the cost, the report.
import { describe, expect, it } from "vitest";
import { type Backlog, growingQueues, reasonsAgainst } from "./backlog";
import { amountOf, fateOf } from "./course";
import { findRate, highestSustained, nextRate } from "./finder";
import { costPerLife, type Meters } from "./meters";
import { readLifeOptions } from "./options";
import { type LifeResults, lifeGoals, lifeLines, lifeMarkdown } from "./report";
import { expectedOf, faultsOf, type LifeRows } from "./verify";

describe("the search for the rate", () => {
  it.each([50, 149, 150, 400, 2_000])("finds a capacity of %d within 15 %%, and never exceeds it", async (capacity) => {
    const probes = await findRate(150, 20, async (rate) => rate <= capacity);
    const best = highestSustained(probes) ?? 0;
    expect(best).toBeLessThanOrEqual(capacity);
    expect(best * 1.16).toBeGreaterThan(capacity);
  });

  it("ends after the most probes", async () => {
    expect(await findRate(100, 3, async () => true)).toHaveLength(3);
  });

  it("is not misled by a low rate that failed by chance", () => {
    const probes = [
      { rate: 100, isSustained: false },
      { rate: 120, isSustained: true },
    ];
    expect(nextRate(probes, 100)).toBe(180);
  });
});

const idle: Backlog = { requests: 0, duePayments: 0, callbacks: 0, deliveries: 0, auditEntries: 0 };

describe("growing queues", () => {
  const samples = (deliveries: (n: number) => number) =>
    Array.from({ length: 50 }, (_, n) => ({ ...idle, deliveries: deliveries(n) }));

  it("are those that are longer at the end than in the middle", () => {
    expect(
      growingQueues(
        samples((n) => 100 * n),
        100,
      ),
    ).toEqual(["deliveries"]);
  });

  it("are not those that are long and steady, or short", () => {
    expect(
      growingQueues(
        samples(() => 5_000),
        100,
      ),
    ).toEqual([]);
    expect(
      growingQueues(
        samples((n) => n),
        100,
      ),
    ).toEqual([]);
    expect(growingQueues([], 100)).toEqual([]);
  });

  it("keep a rate from being sustained, and so do late creates", () => {
    const steady = samples(() => 0);
    expect(reasonsAgainst(steady, 100, 2_000)).toEqual([]);
    expect(reasonsAgainst(steady, 100, 2_001)).toEqual(["creates are late"]);
    expect(
      reasonsAgainst(
        samples((n) => 100 * n),
        100,
        50,
      ),
    ).toEqual(["deliveries grow"]);
  });
});

const LIVES = 100;
const complete: LifeRows = {
  payments: LIVES,
  succeeded: 60,
  expired: 30,
  failed: 10,
  credits: 60,
  credited: expectedOf(LIVES).credited,
  events: LIVES,
  delivered: LIVES,
  attempts: LIVES,
  auditEntries: 290,
  linkedEntries: 290,
  figures: LIVES,
  callbacksWaiting: 0,
  exceptions: 0,
};

describe("the count of rows", () => {
  it("expects 60 % paid, 30 % expired and 10 % declined payments", () => {
    expect(expectedOf(LIVES)).toMatchObject({ paid: 60, expired: 30, declined: 10 });
    expect(fateOf(String(amountOf(0)))).toBe("paid");
  });

  it("finds nothing wrong with complete lives", () => {
    expect(faultsOf(LIVES, complete, LIVES)).toEqual([]);
  });

  it.each(Object.keys(complete).filter((name) => name !== "attempts"))("finds a difference in %s", (name) => {
    const rows = { ...complete, [name]: complete[name as keyof LifeRows] + 1 };
    expect(faultsOf(LIVES, rows, LIVES)).toHaveLength(1);
  });

  it("finds a webhook that did not arrive", () => {
    expect(faultsOf(LIVES, complete, LIVES - 1)).toEqual(["99 webhooks received instead of 100"]);
  });
});

const changes = { inserted: 10, updated: 20, hot: 5, deleted: 0 };
const before: Meters = {
  cpu: { worker: 1, Postgres: null },
  walBytes: 1_000,
  fullPageImages: 0,
  tables: { payment_intent: changes },
};
const after: Meters = {
  cpu: { worker: 1.5, Postgres: 2 },
  walBytes: 51_000,
  fullPageImages: 50,
  tables: {
    payment_intent: { inserted: 110, updated: 320, hot: 105, deleted: 0 },
    event: { inserted: 100, updated: 0, hot: 0, deleted: 0 },
    session: { inserted: 0, updated: 0, hot: 0, deleted: 0 },
  },
};

it("the cost of a life is the difference divided by the lives, for tables that changed", () => {
  expect(costPerLife(before, after, 100)).toEqual({
    cpuMs: { worker: 5, Postgres: null },
    walBytes: 500,
    fullPageImages: 0.5,
    tables: {
      payment_intent: { inserted: 1, updated: 3, hot: 1, deleted: 0 },
      event: { inserted: 1, updated: 0, hot: 0, deleted: 0 },
    },
  });
});

const creates = {
  case: "create payment",
  contestant: "Sluice",
  connections: 32,
  rate: 1_000,
  spread: 0.1,
  p50: 1,
  p99: 2,
  done: 1,
  failed: 0,
  rows: 1,
  cpuMsPerRequest: 0.2,
};

const results: LifeResults = {
  minutes: 10,
  probes: [{ rate: 600, isSustained: true }],
  rate: 540,
  lives: 324_000,
  createP50: 10,
  createP99: 20,
  samples: [idle, { ...idle, deliveries: 7 }],
  growing: [],
  faults: [],
  polls: 0.3,
  mostPolls: 1,
  retriedCallbacks: 0,
  cost: costPerLife(before, after, 100),
  creates,
  peer: { rate: 1_200, walBytes: 20_000, cpuMs: 0.8 },
};

const around = {
  at: "2026-11-24T08:00:00.000Z",
  machine: { cpu: "a processor", cores: 2 },
  versions: { node: "v20.20.0" },
  postgres: { fsync: "on" },
  rowsAtTheEnd: { payment_intent: 1 },
};

describe("the report", () => {
  it("compares lives with creates, and polls with their limit", () => {
    expect(lifeGoals(results).map(({ isMet }) => isMet)).toEqual([true, true, true, true]);
    const worse = { ...results, rate: 499, mostPolls: 3, growing: ["callbacks" as const], faults: ["1 event"] };
    expect(lifeGoals(worse).map(({ isMet }) => isMet)).toEqual([false, false, false, false]);
  });

  it("has rate, cost by process and table, backlog and probes", () => {
    const text = lifeMarkdown(around, results);
    expect(text).toContain("324,000 lives at 540 a second for 10 minutes");
    expect(text).toContain("| worker | 5.000 |");
    expect(text).toContain("| Postgres | – |");
    expect(text).toContain("| payment_intent | 1.00 | 3.00 | 1.00 | 0.00 |");
    expect(text).toContain("| deliveries | 0 | 7 | 7 |");
    expect(text).toContain("| 600 | yes |");
    expect(text).toContain("| pgbench, 32 connections | 1,200 | 0.800 | 20,000 |");
    expect(lifeMarkdown(around, { ...results, peer: null })).toContain("Not measured: pgbench");
    expect(lifeLines(results)).toContain("met   lives a second ÷ creates a second");
  });
});

describe("the command line", () => {
  it("has a full run as its default, and takes a length and a rate", () => {
    expect(readLifeOptions([])).toMatchObject({ minutes: 10, rate: null });
    expect(readLifeOptions(["--minutes", "0.5", "--rate=200"])).toMatchObject({ minutes: 0.5, rate: 200 });
  });

  it("rejects what is no positive number, and unknown words", () => {
    expect(() => readLifeOptions(["--minutes", "many"])).toThrow("--minutes");
    expect(() => readLifeOptions(["--rate", "0"])).toThrow("--rate");
    expect(() => readLifeOptions(["--fast"])).toThrow("--fast");
  });
});
