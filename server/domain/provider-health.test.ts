import { describe, expect, it } from "vitest";
import { providerState } from "./provider-health";

const FINE = { isConfigured: true, isPaused: false, calls: { count: 10, withoutAnswer: 0 }, overdue: 0 };

describe("the state of a provider", () => {
  it.each([
    ["working", {}],
    ["working", { calls: { count: 0, withoutAnswer: 0 } }],
    ["working", { calls: { count: 2, withoutAnswer: 2 } }],
    ["working", { calls: { count: 7, withoutAnswer: 3 } }],
    ["no_answers", { calls: { count: 6, withoutAnswer: 3 } }],
    ["no_answers", { calls: { count: 6, withoutAnswer: 6 }, overdue: 4 }],
    ["late", { overdue: 1 }],
    ["paused", { isPaused: true, overdue: 1 }],
    ["not_configured", { isConfigured: false, isPaused: true }],
  ])("is %s with %o", (state, signs) => {
    expect(providerState({ ...FINE, ...signs })).toBe(state);
  });
});
