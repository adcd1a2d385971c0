import { describe, expect, it } from "vitest";
import { holdMs, isAccepted, isGone, judgeHealth, nextStep, PAUSES_MS, SECRET_OVERLAP_MS } from "./delivery";

const S = 1_000;
const M = 60 * S;
const H = 60 * M;
const answered = (status: number | null, retryAfterMs: number | null = null) => ({
  status,
  retryAfterMs,
  error: status === null ? "timeout" : null,
});
const REFUSED = answered(500);

describe("the schedule", () => {
  it("has ten attempts: at 0, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h after the one before", () => {
    expect(PAUSES_MS).toEqual([0, 5 * S, 5 * M, 30 * M, 2 * H, 5 * H, 10 * H, 14 * H, 20 * H, 24 * H]);
  });

  it.each(PAUSES_MS.slice(1).map((pause, index) => [index + 1, pause]))(
    "after attempt %i waits %i ms, give or take a fifth",
    (step, pause) => {
      expect(nextStep(step, REFUSED, 0)).toEqual({ state: "pending", pauseMs: pause * 0.8 });
      expect(nextStep(step, REFUSED, 0.5)).toEqual({ state: "pending", pauseMs: pause });
      expect(nextStep(step, REFUSED, 1)).toEqual({ state: "pending", pauseMs: pause * 1.2 });
    },
  );

  it("ends after the tenth attempt", () => {
    expect(nextStep(10, REFUSED, 0.5)).toEqual({ state: "failed" });
    expect(nextStep(10, answered(204), 0.5)).toEqual({ state: "delivered" });
  });
});

describe("success", () => {
  it.each([200, 201, 202, 204, 299])("%i is", (status) => {
    expect(isAccepted(answered(status))).toBe(true);
    expect(nextStep(1, answered(status), 0.5)).toEqual({ state: "delivered" });
  });

  it.each([100, 199, 300, 301, 302, 307, 308, 400, 404, 410, 429, 500, 503, null])("%j is not", (status) => {
    expect(isAccepted(answered(status))).toBe(false);
    expect(nextStep(1, answered(status), 0.5).state).toBe("pending");
  });

  it("a 2xx whose body never ended is not", () => {
    expect(isAccepted({ ...answered(200), error: "timeout" })).toBe(false);
  });

  it("410 alone says that the endpoint is gone", () => {
    expect([400, 404, 409, 410, 411, null].filter((status) => isGone(answered(status)))).toEqual([410]);
  });
});

describe("slowing down", () => {
  it.each([
    ["a longer pause than the schedule's is kept", 1, answered(503, 60 * S), 60 * S],
    ["a shorter one does not speed the schedule up", 3, answered(503, S), 30 * M],
    ["without Retry-After a busy receiver gets half a minute", 1, answered(429), 30 * S],
    ["as does a bad gateway", 1, answered(502), 30 * S],
    ["and a gateway that waits in vain", 1, answered(504), 30 * S],
    ["but no other failure", 1, answered(503), 5 * S],
  ] as const)("%s", (_, step, result, pauseMs) => {
    expect(nextStep(step, result, 0.5)).toEqual({ state: "pending", pauseMs });
  });

  it.each([
    [answered(200, 60 * S), 0],
    [answered(500), 0],
    [answered(null), 0],
    [answered(503, 60 * S), 60 * S],
    [answered(429), 30 * S],
    [answered(429, 24 * H), H],
  ])("after %j nothing else is sent for %i ms", (result, ms) => {
    expect(holdMs(result)).toBe(ms);
  });
});

describe("an endpoint that goes on failing", () => {
  const since = new Date("2026-11-21T00:00:00.000Z");
  const after = (hours: number, warnedHours: number) =>
    judgeHealth({ failingSince: since, warnedHours }, new Date(since.getTime() + hours * H));

  it.each([
    [0, 0, null, false],
    [0.99, 0, null, false],
    [1, 0, 1, false],
    [23.9, 1, null, false],
    [24, 1, 24, false],
    [30, 0, 24, false],
    [95, 24, null, false],
    [96, 24, 96, false],
    [119.9, 96, null, false],
    [120, 96, null, true],
    [500, 0, 96, true],
  ])("after %d h, warned at %i: warns at %j, disables: %j", (hours, warned, warnHours, disable) => {
    expect(after(hours, warned)).toEqual({ warnHours, disable });
  });
});

it("the secret before a rotation signs for a day more", () => {
  expect(SECRET_OVERLAP_MS).toBe(24 * H);
});
