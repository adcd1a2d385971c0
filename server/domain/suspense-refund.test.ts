// Tests what a provider's report means for a refund from suspense, and how long an answer is waited for.
import { describe, expect, it } from "vitest";
import type { RefundOutcome } from "./outcome";
import {
  contradictedRefund,
  decideRefund,
  nextReturnPoll,
  REFUND_STATES,
  type RefundState,
  stalledRefund,
} from "./suspense-refund";
import { after, START } from "./testing/samples";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SUM = { amount: 1050n, currency: "BRL" };
const trace = { providerReference: "px_1" };
const REPORTS = {
  settled: { kind: "settled", ...SUM, ...trace },
  returned: { kind: "returned", ...SUM, ...trace },
  declined: { kind: "declined", message: null, ...trace },
} as const satisfies Record<string, RefundOutcome>;
const about = (state: RefundState) => ({ state, ...SUM });

describe("a report about a refund", () => {
  it.each<[keyof typeof REPORTS, Partial<Record<RefundState, string>>]>([
    ["settled", { confirmed: "settle", failed: "contradiction" }],
    ["declined", { confirmed: "fail", settled: "contradiction" }],
    ["returned", { confirmed: "fail", settled: "return" }],
  ])("%s means, state by state, %j; in any other state nothing", (report, meaning) => {
    for (const state of REFUND_STATES) {
      expect([state, decideRefund(about(state), REPORTS[report]).kind]).toEqual([state, meaning[state] ?? "wait"]);
    }
  });

  it("that contradicts an earlier one says which", () => {
    expect(decideRefund(about("failed"), REPORTS.settled)).toEqual({
      kind: "contradiction",
      why: "The provider had refused the refund, and now reports it settled.",
    });
    expect(decideRefund(about("settled"), REPORTS.declined)).toEqual({
      kind: "contradiction",
      why: "The provider had settled the refund, and now reports it refused.",
    });
  });

  it.each(["settled", "returned"] as const)("of another sum, %s, moves nothing in any state", (kind) => {
    const why = `The provider reports ${kind} for another amount than the refund's.`;
    for (const state of REFUND_STATES) {
      for (const change of [{ amount: 1049n }, { currency: "USD" }]) {
        expect(decideRefund(about(state), { ...REPORTS[kind], ...change })).toEqual({ kind: "contradiction", why });
      }
    }
  });

  it.each<RefundOutcome>([
    { kind: "pending", ...trace },
    { kind: "unknown", detail: "time-out" },
  ])("$kind changes nothing", (outcome) => {
    for (const state of REFUND_STATES) expect(decideRefund(about(state), outcome)).toEqual({ kind: "wait" });
  });

  it("that does not fit opens one exception for the refund", () => {
    expect(contradictedRefund("ref_1", "Why.")).toEqual({
      kind: "contradiction",
      objectId: "ref_1",
      fact: "contradiction:ref_1:report",
      detail: { why: "Why." },
    });
  });
});

it.each([
  ["without an answer after a day", false, DAY],
  ["that its provider accepted after two weeks", true, 14 * DAY],
])("a refund %s is stuck", (_what, isAccepted, longest) => {
  expect(stalledRefund("ref_1", START, isAccepted, after(longest - 1))).toBeNull();
  expect(stalledRefund("ref_1", START, isAccepted, after(longest))).toEqual({
    kind: "stuck",
    objectId: "ref_1",
    fact: "stuck:ref_1:standstill",
    detail: { why: "The provider has not said what became of the refund." },
  });
});

it.each([
  [0, 6 * HOUR],
  [6 * HOUR, 12 * HOUR],
  [10 * HOUR, 20 * HOUR],
  [24 * HOUR, 48 * HOUR],
  [10 * DAY, 11 * DAY],
  [29.5 * DAY, 30 * DAY],
  [30 * DAY - 1, 30 * DAY],
])("a settled refund is asked about at %i ms and then at %i ms", (age, next) => {
  expect(nextReturnPoll(START, after(age))).toEqual(after(next));
});

it("nothing comes back of a refund that settled 30 days ago", () => {
  expect(nextReturnPoll(START, after(30 * DAY))).toBeNull();
});
