// Proves that the provider drawn by weight is that of the dispatch reference.
import { afterAll, beforeAll, expect, it } from "vitest";
import { configureGateways } from "@/server/psp/registry";
import { configureRoutes } from "@/server/psp/routes";
import { chooseFor } from "./choose";

const SUBJECT = { kind: "payout", environment: "live", country: "BR", currency: "BRL", instrument: null } as const;

beforeAll(() => {
  const secret = "a secret of at least thirty-two characters";
  const bridge = (name: string) => ({ name, url: "http://localhost:1", secret, payout_currencies: ["BRL"] });
  configureGateways(JSON.stringify([bridge("acme"), bridge("zeta")]));
  const providers = [{ name: "acme", weight: 3 }, { name: "zeta" }];
  configureRoutes(JSON.stringify([{ kind: "payout", environment: "live", providers }]));
});
afterAll(() => {
  configureRoutes(null);
  configureGateways(null);
});

it("is the same each time for one reference, and shared by weight over many", () => {
  const references = Array.from({ length: 4_000 }, (_, n) => `reference-${n}`);
  const draw = () => references.map((reference) => chooseFor(SUBJECT, reference)?.gateway.name);
  const drawn = draw();
  expect(draw()).toEqual(drawn);
  const share = drawn.filter((name) => name === "acme").length / drawn.length;
  expect(share).toBeGreaterThan(0.72);
  expect(share).toBeLessThan(0.78);
});
