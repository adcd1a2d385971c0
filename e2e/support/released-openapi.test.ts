// The last release's API still holds, and changes that break its clients are found.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { OpenApiDocument } from "./openapi";
import { createReleasedValidator, readReleasedDocument, requestFaults } from "./released-openapi";
import { PROJECT_ROOT } from "./service-process";

const released = readReleasedDocument();
const present = JSON.parse(readFileSync(join(PROJECT_ROOT, "docs/openapi.json"), "utf8")) as OpenApiDocument;

it("what clients of the last release send is still accepted", () => {
  expect(requestFaults(released, present)).toEqual([]);
});

/** The released document with one value changed. */
function changed(path: readonly string[], value: unknown): OpenApiDocument {
  const document = structuredClone(released) as unknown as Record<string, unknown>;
  let place = document;
  for (const step of path.slice(0, -1)) place = place[step] as Record<string, unknown>;
  const last = path.at(-1) ?? "";
  if (value === undefined) delete place[last];
  else place[last] = value;
  return document as unknown as OpenApiDocument;
}

const CREATE = ["components", "schemas", "CreatePaymentIntent"];
const LIST = ["paths", "/payout_intents", "get"];

it.each<[string, readonly string[], unknown, RegExp]>([
  ["a path that is gone", ["paths", "/payout_intents"], undefined, /payout_intents is gone/],
  ["a renamed operation", [...LIST, "operationId"], "payouts", /listPayoutIntents became payouts/],
  ["a parameter that is gone", [...LIST, "parameters"], [], /\?status is gone/],
  ["a new required member", [...CREATE, "required"], ["amount", "customer"], /customer became required/],
  ["a member that is gone", [...CREATE, "properties", "customer"], undefined, /customer is gone/],
  ["another type", [...CREATE, "properties", "amount", "type"], "integer", /string became integer/],
  ["a shorter text", [...CREATE, "properties", "merchant_reference", "maxLength"], 40, /maxLength became 40/],
  ["a choice instead of a text", [...CREATE, "properties", "country", "enum"], ["BR"], /no longer accepted/],
])("%s is found", (_what, path, value, fault) => {
  expect(requestFaults(released, changed(path, value)).join("\n")).toMatch(fault);
});

const validate = createReleasedValidator(released);
const WALLETS = { data: [{ object: "wallet", environment: "test", currency: "BRL", available: "0", held: "0" }] };
const headers = new Headers({ "content-type": "application/json" });
const wallets = (status: number, body: unknown) => () =>
  validate({ method: "GET", path: "/wallets?x=1", status, headers, text: JSON.stringify(body) });

it("an answer may have new members, headers and errors, but must keep what was promised", () => {
  expect(wallets(200, { ...WALLETS, total: 1 })).not.toThrow();
  expect(wallets(418, {})).not.toThrow();
  expect(wallets(202, WALLETS)).toThrow(/breaks clients of the last release: .*does not list this status/);
  expect(wallets(200, { data: [{ ...WALLETS.data[0], held: 0 }] })).toThrow(/breaks clients .*must be string/s);
  expect(() => validate({ method: "GET", path: "/new", status: 200, headers, text: "{}" })).not.toThrow();
});
