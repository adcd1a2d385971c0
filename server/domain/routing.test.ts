import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Candidate,
  chooseProvider,
  matchRoute,
  nextProvider,
  onlyProvider,
  type Readiness,
  type Route,
  type RoutingSubject,
  rerouted,
} from "./routing";

const RUNS = { numRuns: 1_000 };
const PIX: RoutingSubject = {
  kind: "payment",
  environment: "live",
  country: "BR",
  currency: "BRL",
  instrument: "BR_PIX",
};
const ANY: Route = {
  name: "any",
  kind: "payment",
  instrument: null,
  currency: null,
  country: null,
  environment: null,
  providers: [],
};

const names = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e"), { minLength: 1 });
const candidates: fc.Arbitrary<Candidate[]> = names.chain((all) =>
  fc.tuple(
    ...all.map((provider) =>
      fc.record({
        provider: fc.constant(provider),
        weight: fc.integer({ min: 0, max: 5 }),
        obstacle: fc.constantFrom(null, null, "not_offered" as const, "not_configured" as const),
      }),
    ),
  ),
);
const open = fc.subarray(["a", "b", "c", "d", "e"]);
const draw = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe("the rule for a subject", () => {
  const among = (...changes: Partial<Route>[]) =>
    matchRoute(
      changes.map((change, at) => ({ ...ANY, ...change, name: `r${at}` })),
      PIX,
    )?.name ?? null;

  it("is one all of whose conditions hold, or none", () => {
    expect(among({ country: "MX" }, { currency: "MXN" }, { environment: "test" }, { kind: "payout" })).toBeNull();
    expect(among({ country: "MX" }, { instrument: "BR_PIX", country: "BR", currency: "BRL" })).toBe("r1");
  });

  it("is the most specific: the method before the currency, that before the country, that before the environment", () => {
    expect(among({}, { environment: "live" })).toBe("r1");
    expect(among({ country: "BR" }, { environment: "live" })).toBe("r0");
    expect(among({ country: "BR", environment: "live" }, { currency: "BRL" })).toBe("r1");
    expect(among({ currency: "BRL", country: "BR", environment: "live" }, { instrument: "BR_PIX" })).toBe("r1");
    expect(among({ instrument: "BR_PIX" }, { instrument: "BR_PIX", environment: "live" })).toBe("r1");
  });

  it("does not depend on the order of the rules", () => {
    const parts = { instrument: "BR_PIX", currency: "BRL", country: "BR", environment: "live" } as const;
    const routes = fc.uniqueArray(fc.subarray(Object.keys(parts) as (keyof typeof parts)[]), {
      minLength: 1,
      selector: (keys) => keys.join(),
    });
    const property = fc.property(routes, (sets) => {
      const all = sets.map((keys) => ({
        ...ANY,
        ...Object.fromEntries(keys.map((key) => [key, parts[key]])),
        name: keys.join(),
      }));
      expect(matchRoute([...all].reverse(), PIX)?.name).toBe(matchRoute(all, PIX)?.name);
    });
    fc.assert(property, RUNS);
  });
});

describe("the choice", () => {
  it("goes to each provider by its weight, over evenly spread draws", () => {
    const property = fc.property(candidates, (all) => {
      const able = all.filter(({ obstacle }) => obstacle === null);
      const total = able.reduce((sum, { weight }) => sum + weight, 0);
      fc.pre(total > 0);
      const first = new Map<string, number>();
      for (let n = 0; n < total; n += 1) {
        const chosen = chooseProvider("r", all, () => false, (n + 0.5) / total)?.order[0] ?? "";
        first.set(chosen, (first.get(chosen) ?? 0) + 1);
      }
      for (const { provider, weight } of able) expect([provider, first.get(provider) ?? 0]).toEqual([provider, weight]);
    });
    fc.assert(property, RUNS);
  });

  it("skips an open breaker unless all are open, and is the same for the same draw", () => {
    const property = fc.property(candidates, open, draw, (all, shut, at) => {
      const isOpen = (provider: string) => shut.includes(provider);
      const decision = chooseProvider("r", all, isOpen, at);
      expect(chooseProvider("r", all, isOpen, at)).toEqual(decision);
      const able = all.filter(({ obstacle }) => obstacle === null).map(({ provider }) => provider);
      expect(decision === null).toBe(able.length === 0);
      const [first = able[0] ?? ""] = decision?.order ?? [];
      expect(isOpen(first)).toBe(able.length === 0 ? isOpen("") : able.every(isOpen));
    });
    fc.assert(property, RUNS);
  });

  it("names everyone once: in the order if able, as skipped with the reason if passed over", () => {
    const property = fc.property(candidates, open, draw, (all, shut, at) => {
      const decision = chooseProvider("r", all, (provider) => shut.includes(provider), at);
      if (!decision) return;
      const able = all.filter(({ obstacle }) => obstacle === null).map(({ provider }) => provider);
      expect([...decision.order].sort()).toEqual([...able].sort());
      for (const { provider, obstacle } of all) {
        const reason = decision.skipped.find((one) => one.provider === provider)?.reason ?? null;
        const isShut = shut.includes(provider) && !able.every((name) => shut.includes(name));
        expect([provider, reason]).toEqual([provider, obstacle ?? (isShut ? "breaker_open" : null)]);
      }
      const closed = decision.order.map((name) => shut.includes(name));
      expect(closed, "an open breaker comes after every closed one").toEqual([...closed].sort());
    });
    fc.assert(property, RUNS);
  });

  it("without any weight among those that are left takes the first of them", () => {
    const all = ["a", "b", "c"].map((provider) => ({ provider, weight: provider === "a" ? 1 : 0, obstacle: null }));
    expect(chooseProvider("r", all, (provider) => provider === "a", 0.9)?.order).toEqual(["b", "c", "a"]);
  });
});

describe("the next provider", () => {
  const decision = { ...onlyProvider("a"), order: ["a", "b", "c", "d"] };
  const next = (known: Readonly<Record<string, Readiness>>, left: readonly string[] = []) =>
    nextProvider(
      { ...decision, left: left.map((provider) => ({ provider, reason: "not_sent", at: "" })) },
      "a",
      (provider) => known[provider] ?? "ready",
    )?.provider ?? null;

  it("is the first that is ready, then one with an open breaker, never one that is gone or was left", () => {
    expect(next({})).toBe("b");
    expect(next({ b: "open" })).toBe("c");
    expect(next({ b: "open", c: "open", d: "open" })).toBe("b");
    expect(next({ b: "gone", c: "gone" }, ["d"])).toBeNull();
    expect(next({}, ["b", "c"])).toBe("d");
  });

  it("is never one that had the intent before, however often it moves", () => {
    const property = fc.property(names, (order) => {
      let intent: Parameters<typeof rerouted>[0] = {
        provider: order[0] ?? "",
        routing: { ...onlyProvider("x"), order },
      };
      const seen = [intent.provider];
      for (;;) {
        const to = nextProvider(intent.routing, intent.provider, () => "ready")?.provider;
        if (to === undefined) break;
        intent = { ...intent, ...rerouted(intent, { to, reason: "not_sent" }, new Date(0)) };
        seen.push(to);
      }
      expect(seen).toEqual(order);
      expect(intent.routing.left.map(({ provider }) => provider)).toEqual(order.slice(0, -1));
    });
    fc.assert(property, RUNS);
  });
});
