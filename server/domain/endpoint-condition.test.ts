import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ENDPOINT_STATES } from "./delivery";
import { conditionOf, disabledFrom } from "./endpoint-condition";

const AT = new Date("2026-11-20T00:00:00Z");

describe("the condition of an endpoint", () => {
  it.each([
    [{ state: "enabled", failingSince: null }, { attempts: 0, accepted: 0 }, "idle"],
    [{ state: "enabled", failingSince: null }, { attempts: 40, accepted: 40 }, "healthy"],
    [{ state: "enabled", failingSince: null }, { attempts: 100, accepted: 96 }, "healthy"],
    [{ state: "enabled", failingSince: null }, { attempts: 100, accepted: 95 }, "unstable"],
    [{ state: "enabled", failingSince: null }, { attempts: 2, accepted: 1 }, "unstable"],
    [{ state: "enabled", failingSince: AT }, { attempts: 1_000, accepted: 999 }, "failing"],
    [{ state: "enabled", failingSince: AT }, { attempts: 0, accepted: 0 }, "failing"],
    [{ state: "paused", failingSince: AT }, { attempts: 1, accepted: 0 }, "paused"],
    [{ state: "disabled", failingSince: null }, { attempts: 1, accepted: 1 }, "disabled"],
  ] as const)("%j with %j is %s", (endpoint, activity, condition) => {
    expect(conditionOf(endpoint, activity)).toBe(condition);
  });

  it("is healthy only where nothing fails now, and at least one attempt was accepted", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ENDPOINT_STATES),
        fc.boolean(),
        fc.nat(1_000).chain((attempts) => fc.record({ attempts: fc.constant(attempts), accepted: fc.nat(attempts) })),
        (state, isFailing, activity) => {
          if (conditionOf({ state, failingSince: isFailing ? AT : null }, activity) !== "healthy") return;
          expect([state, isFailing]).toEqual(["enabled", false]);
          expect(activity.accepted / activity.attempts).toBeGreaterThan(0.95);
        },
      ),
    );
  });
});

it("a failing endpoint is disabled five days after its first failure, others never", () => {
  expect(disabledFrom({ state: "enabled", failingSince: AT })).toEqual(new Date("2026-11-25T00:00:00Z"));
  expect(disabledFrom({ state: "paused", failingSince: AT })).toBeNull();
  expect(disabledFrom({ state: "enabled", failingSince: null })).toBeNull();
});
