// The registry: which provider serves what in which environment, and how configuration faults are reported.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { RoutingSubject } from "@/server/domain/routing";
import { callbackReceiver, configureGateways, gatewayByName, obstacleOf, providersOffering } from "./registry";

type Environment = RoutingSubject["environment"];
const subject = (changes: Partial<RoutingSubject>): RoutingSubject => ({
  kind: "payment",
  environment: "live",
  country: "BR",
  currency: "BRL",
  instrument: null,
  ...changes,
});
const forPayment = (instrument: string, environment: Environment) =>
  providersOffering(subject({ instrument, environment }));
const forPayout = (currency: string, environment: Environment) =>
  providersOffering(subject({ kind: "payout", currency, environment }));
const forTopup = (environment: Environment) => providersOffering(subject({ kind: "topup", environment }));
const SECRET = "s3cr3t-s3cr3t-s3cr3t-s3cr3t-s3cr3t";
const ACME = {
  name: "acme",
  url: "https://acme.example.com",
  secret: SECRET,
  payment_methods: ["BR_PIX"],
  payout_currencies: ["BRL"],
};
const ZETA = {
  name: "zeta",
  url: "http://127.0.0.1:9999/psp",
  secret: SECRET,
  payment_methods: "all",
  payout_currencies: "all",
  topups: [{ source: "USDT", destination: "BRL" }],
  environments: ["live", "test"],
};
const configure = (...providers: object[]) => configureGateways(JSON.stringify(providers));

/** The message of the error that a configuration causes. */
function faultsOf(...providers: object[]): string {
  try {
    configure(...providers);
  } catch (error) {
    return String(error);
  }
  return "";
}

afterEach(() => configureGateways(undefined));

describe("offers", () => {
  it("has the sandbox in the test environment and no provider in the live one without configuration", () => {
    configureGateways(null);
    expect([forPayment("BR_PIX", "test"), forPayout("KWD", "test"), forTopup("test")]).toEqual([
      ["sandbox"],
      ["sandbox"],
      ["sandbox"],
    ]);
    expect([forPayment("BR_PIX", "live"), forPayout("BRL", "live"), forTopup("live")]).toEqual([[], [], []]);
    expect(callbackReceiver("sandbox")).toBeNull();
  });

  it("lists the configured providers that offer the subject in their order", () => {
    configure(ACME, ZETA);
    expect(forPayment("BR_PIX", "live")).toEqual(["acme", "zeta"]);
    expect(forPayment("MX_SPEI", "live")).toEqual(["zeta"]);
    expect(forPayout("BRL", "live")).toEqual(["acme", "zeta"]);
    expect(forPayout("JPY", "live")).toEqual(["zeta"]);
    expect(forPayment("BR_PIX", "test")).toEqual(["sandbox", "zeta"]);
    expect(forTopup("live")).toEqual(["zeta"]);
    expect(forTopup("test")).toEqual(["sandbox", "zeta"]);
    expect(forPayment("BR_CARD", "live")).toEqual([]);
  });

  it("returns what prevents a provider from serving a subject", () => {
    configure(ACME, ZETA);
    const pix = subject({ instrument: "BR_PIX" });
    const names = ["zeta", "sandbox", "nobody"];
    expect(names.map((name) => obstacleOf(name, pix))).toEqual([null, "not_offered", "not_configured"]);
    expect(obstacleOf("acme", subject({ kind: "topup" }))).toBe("not_offered");
  });

  it("finds providers and receivers by name", () => {
    configure(ACME);
    expect(gatewayByName("acme")?.name).toBe("acme");
    expect(callbackReceiver("acme")).not.toBeNull();
    expect([gatewayByName("zeta"), callbackReceiver("zeta"), callbackReceiver("__proto__")]).toEqual([
      null,
      null,
      null,
    ]);
  });

  it("reads the configuration from a file as well", () => {
    const folder = mkdtempSync(join(tmpdir(), "providers-"));
    const path = join(folder, "providers.json");
    writeFileSync(path, JSON.stringify([ACME]));
    configureGateways(path);
    rmSync(folder, { recursive: true });
    expect(gatewayByName("acme")).not.toBeNull();
  });
});

describe("faults of the configuration", () => {
  it("are reported all at once, by path, without values", () => {
    const message = faultsOf(
      { ...ACME, name: "Acme", secret: "short", payment_methods: ["BR_PIX", "XX_GOLD"], colour: "red" },
      {
        ...ZETA,
        name: "sandbox",
        url: "ftp://x",
        topups: [{ source: "BRL", destination: "BRL" }],
        exponents: { QQQ: 2 },
      },
    );
    for (const place of [
      "[0].name",
      "[0].secret",
      "[0].payment_methods",
      "[1].name",
      "[1].url",
      "[1].topups[0].source",
      "[1].exponents",
    ]) {
      expect(message).toContain(`PROVIDERS${place}`);
    }
    expect(message).toContain("PROVIDERS[0]");
    expect(message).not.toContain("short");
  });

  it.each([
    ["plain http to another machine", [{ ...ACME, url: "http://acme.example.com" }], "PROVIDERS[0].url must use https"],
    ["a name used twice", [ACME, { ...ZETA, name: "acme" }], "PROVIDERS[1].name is used twice"],
    ["credentials in the address", [{ ...ACME, url: "https://u:p@acme.example.com" }], "PROVIDERS[0].url"],
    ["no environment", [{ ...ACME, environments: [] }], "PROVIDERS[0].environments"],
    ["a negative exponent", [{ ...ACME, exponents: { ISK: -1 } }], "PROVIDERS[0].exponents.ISK"],
  ])("name %s", (_name, providers, message) => {
    expect(faultsOf(...providers)).toContain(message);
  });

  it("leave the providers unchanged", () => {
    configure(ACME);
    expect(() => configureGateways("[{}]")).toThrow("PROVIDERS[0].name");
    expect(() => configureGateways("[")).toThrow("valid JSON");
    expect(() => configureGateways('{"name":"acme"}')).toThrow("PROVIDERS");
    expect(() => configureGateways("/no/such/file.json")).toThrow("must be a JSON array or the path");
    expect(gatewayByName("acme")).not.toBeNull();
  });

  it("allow plain http if the operator configures it", () => {
    configure({ ...ACME, url: "http://bridge:8080", plain_http: true });
    expect(gatewayByName("acme")).not.toBeNull();
  });
});
