import { describe, expect, it } from "vitest";
import { reportOf, slopeOf } from "./report";
import type { Sample } from "./sample";

const MINUTE_MS = 60_000;

/** Grows by one MiB in the first minutes each, and by a tenth later. */
const webMiB = (minute: number) => (minute < 10 ? 100 + minute : 110 + minute / 10);
/** Garbage is collected in every second minute. */
const live = (minute: number, liveMiB: number) => (minute % 2 === 0 ? { liveMiB } : {});

/** A sample a minute. */
const sample = (minute: number): Sample => ({
  at: minute * MINUTE_MS,
  processes: [
    { name: "web", pid: 7, residentMiB: 300 + (minute % 7) * 20, ...live(minute, webMiB(minute)), descriptors: 20 },
    {
      name: "worker",
      pid: 8,
      residentMiB: 120,
      ...live(minute, 90),
      descriptors: minute < 10 ? 10 : 10 + (minute - 10),
    },
  ],
  lagSeconds: minute === 20 ? 7 : 0,
  intents: minute * 1_000,
  databaseBytes: minute * 2 ** 20,
  deadRows: 0.1,
  indexBytes: 0.8,
});

describe("the report of a soak", () => {
  const report = reportOf(Array.from({ length: 41 }, (_, minute) => sample(minute)));

  it("tells the slope of the memory without garbage after the warm-up", () => {
    expect(report.memorySlopes.web).toBeCloseTo(6);
    expect(report.memorySlopes.worker).toBe(0);
  });

  it("tells the worst lag, the last one, and descriptors that were not closed", () => {
    expect(report).toMatchObject({ minutes: 40, worstLagSeconds: 7, lastLagSeconds: 0, descriptorsGained: 30 });
  });

  it("tells the size of a million intents", () => {
    expect(report.gibPerMillionIntents).toBeCloseTo(1_000 / 1_024);
  });

  it("needs samples", () => {
    expect(() => reportOf([sample(0)])).toThrow("more samples");
  });
});

it("the slope is that of the line through the points", () => {
  expect(slopeOf([0, 1, 2].map((x) => [x, 3 * x + 1]))).toBeCloseTo(3);
});
