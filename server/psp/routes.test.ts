// The operator's routes: the candidates for a subject, and how faults are reported.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RoutingSubject } from "@/server/domain/routing";
import { configureGateways } from "./registry";
import { candidatesFor, configureRoutes, routes } from "./routes";

const PROVIDER = { url: "http://127.0.0.1:9", secret: "s3cr3t-s3cr3t-s3cr3t-s3cr3t-s3cr3t" };
const ACME = { ...PROVIDER, name: "acme", payment_methods: ["BR_PIX"], payout_currencies: ["BRL"] };
const ZETA = {
  ...PROVIDER,
  name: "zeta",
  payment_methods: "all",
  payout_currencies: "all",
  topups: [{ source: "USDT", destination: "BRL" }],
};
const PIX: RoutingSubject = {
  kind: "payment",
  environment: "live",
  country: "BR",
  currency: "BRL",
  instrument: "BR_PIX",
};
const set = (...given: object[]) => configureRoutes(JSON.stringify(given));

function faultsOf(...given: object[]): readonly string[] {
  try {
    set(...given);
  } catch (error) {
    return (error as { faults: readonly string[] }).faults;
  }
  return [];
}

beforeEach(() => configureGateways(JSON.stringify([ACME, ZETA])));
afterEach(() => {
  configureGateways(null);
  configureRoutes(null);
});

describe("candidates", () => {
  it("without a route: the first provider that offers it, and for a top-up all that do", () => {
    configureRoutes(null);
    expect(candidatesFor(PIX)).toEqual({ route: null, candidates: [{ provider: "acme", weight: 1, obstacle: null }] });
    expect(candidatesFor({ ...PIX, kind: "topup", instrument: null }).candidates).toMatchObject([{ provider: "zeta" }]);
    expect(candidatesFor({ ...PIX, environment: "test" }).candidates).toMatchObject([{ provider: "sandbox" }]);
  });

  it("are the route's, in its order, each with what prevents it from serving the subject", () => {
    set(
      { kind: "payment", country: "BR", providers: [{ name: "zeta", weight: 3 }, { name: "acme" }] },
      { kind: "payment", method: "MX_SPEI", providers: [{ name: "zeta" }] },
    );
    const { route, candidates } = candidatesFor(PIX);
    expect(route).toBe("ROUTES[0]");
    expect(candidates).toEqual([
      { provider: "zeta", weight: 3, obstacle: null },
      { provider: "acme", weight: 1, obstacle: null },
    ]);
    expect(candidatesFor({ ...PIX, instrument: "BR_BOLETO" }).candidates[1]?.obstacle).toBe("not_offered");
    configureGateways(JSON.stringify([ACME]));
    expect(candidatesFor(PIX).candidates[0]?.obstacle).toBe("not_configured");
  });
});

describe("faults", () => {
  it("are reported all at once, by path", () => {
    const providers = [{ name: "acme" }];
    expect(
      faultsOf(
        { kind: "payment", method: "BR_PIX", country: "MX", providers },
        { kind: "payout", currency: "BRL", providers: [{ name: "nobody" }, { name: "acme" }, { name: "acme" }] },
        {
          kind: "payout",
          currency: "JPY",
          providers: [
            { name: "zeta", weight: 0 },
            { name: "acme", weight: 0 },
          ],
        },
        { kind: "payment", environment: "test", providers },
        { kind: "topup", providers },
        { kind: "payment", environment: "test", providers: [{ name: "sandbox" }] },
      ),
    ).toEqual([
      "ROUTES[0] fits no payment method",
      "ROUTES[1].providers[0].name is not the name of a provider",
      "ROUTES[1].providers[2].name is used twice",
      "ROUTES[2].providers[1] offers nothing that the route is for",
      "ROUTES[2].providers must have a weight above 0 somewhere",
      "ROUTES[3].providers[0] offers nothing that the route is for",
      "ROUTES[4].providers[0] offers nothing that the route is for",
      "ROUTES[5] has the conditions of ROUTES[3]",
    ]);
  });

  it.each([
    ["a method of no catalogue", { kind: "payment", method: "BR_CARD" }, "ROUTES[0].method"],
    ["a method for payouts", { kind: "payout", method: "BR_PIX" }, "ROUTES[0]"],
    ["no kind", {}, "ROUTES[0].kind"],
    ["a country that is none", { kind: "payout", country: "XX" }, "ROUTES[0].country"],
    [
      "a weight below 0",
      { kind: "payout", providers: [{ name: "acme", weight: -1 }] },
      "ROUTES[0].providers[0].weight",
    ],
    ["nobody", { kind: "payout", providers: [] }, "ROUTES[0].providers"],
  ])("name %s", (_what, change, place) => {
    expect(faultsOf({ providers: [{ name: "acme" }], ...change })[0]).toContain(place);
  });

  it("leave the routes unchanged", () => {
    set({ kind: "payout", providers: [{ name: "zeta" }] });
    expect(() => configureRoutes("[")).toThrow("ROUTES must contain valid JSON");
    expect(() => configureRoutes("/no/such/file.json")).toThrow("ROUTES must be a JSON array or the path");
    expect(routes()).toHaveLength(1);
  });
});
