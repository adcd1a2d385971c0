// Entries of PROVIDERS: types, secrets from other places, and limits.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { now } from "@/server/platform/clock";
import { signedHeaders } from "./http/signature";
import { readProviderConfigs } from "./provider-configs";
import {
  callbackReceiver,
  concurrencies,
  configureGateways,
  deadlineOf,
  longestDeadlineMs,
  obstacleOf,
} from "./registry";

const SECRET = "a secret of at least thirty-two characters";
const ACME = { name: "acme", url: "https://acme.example.com", secret: SECRET, payment_methods: ["BR_PIX"] };
const folder = mkdtempSync(join(tmpdir(), "sluice-provider-configs-"));
const read = (...entries: object[]) => readProviderConfigs(JSON.stringify(entries));

afterEach(() => {
  vi.unstubAllEnvs();
  configureGateways(null);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the type of an entry", () => {
  it("is http by default", () => {
    expect(read(ACME, { ...ACME, name: "zeta", type: "http" }).map(({ name }) => name)).toEqual(["acme", "zeta"]);
  });

  it.each(["unheard-of", "", 7, null])("%j is not known", (type) => {
    expect(() => read({ ...ACME, type })).toThrow("PROVIDERS[0].type must be one of http, paystack, stripe");
  });

  it("has members of its own", () => {
    expect(() => read({ ...ACME, account: "7" })).toThrow("account");
    expect(() => read({ ...ACME, type: "paystack" })).toThrow("PROVIDERS[0].secret_key");
  });
});

describe("a secret", () => {
  const path = join(folder, "secret");

  it("is a text, or comes from a file or a variable", () => {
    writeFileSync(path, `${SECRET}\n`);
    vi.stubEnv("ACME_SECRET", SECRET);
    for (const secret of [SECRET, { file: path }, { env: "ACME_SECRET" }]) {
      expect(read({ ...ACME, secret })).toMatchObject([{ secret: SECRET }]);
    }
  });

  it.each([
    [{ file: join(folder, "none") }, "names a file that is empty or unreadable"],
    [{ env: "NO_SUCH_VARIABLE" }, "names an environment variable that is not set"],
    [{ file: "x", env: "y" }, "must be a text"],
    ["short", "must have at least 32 characters"],
    [7, "must be a text"],
    [undefined, "must be a text"],
  ])("%j is a fault that names no value", (secret, message) => {
    expect(() => read({ ...ACME, secret })).toThrow(`PROVIDERS[0].secret ${message}`);
  });

  it("that is too short in its file is a fault without its text", () => {
    writeFileSync(path, "short-secret");
    const faults = () => read({ ...ACME, secret: { file: path } });
    expect(faults).toThrow("at least 32");
    expect(faults).not.toThrow("short-secret");
  });

  it("of callbacks can be one of several", () => {
    const [old, other] = ["o", "x"].map((letter) => letter.repeat(32));
    configureGateways(JSON.stringify([{ ...ACME, webhook_secrets: [old] }]));
    const message = { method: "POST", path: "/providers/acme/callbacks", body: "{}" };
    const isAccepted = (secret = "") =>
      callbackReceiver("acme")?.verifyCallback(new Headers(signedHeaders(secret, message, now())), "{}", now()) !==
      null;
    expect([SECRET, old, other].map(isAccepted)).toEqual([true, true, false]);
  });
});

describe("limits", () => {
  it("of time and concurrency are per entry", () => {
    configureGateways(JSON.stringify([ACME, { ...ACME, name: "slow", deadline_ms: 15_000, concurrency: 3 }]));
    expect([deadlineOf("acme"), deadlineOf("slow"), longestDeadlineMs()]).toEqual([2_500, 15_000, 15_000]);
    expect(concurrencies()).toEqual({ slow: 3 });
    expect(() => read({ ...ACME, deadline_ms: 20_001 })).toThrow("deadline_ms");
    expect(() => read({ ...ACME, concurrency: 0 })).toThrow("concurrency");
  });

  it("of merchants apply to their work only", () => {
    const [ours, theirs] = ["mer_01h455vb4pex5vsknk084sn02q", "mer_01h455vb4pex5vsknk084sn02r"];
    configureGateways(JSON.stringify([{ ...ACME, merchants: [ours] }]));
    const subject = {
      kind: "payment",
      environment: "live",
      country: "BR",
      currency: "BRL",
      instrument: "BR_PIX",
    } as const;
    expect(obstacleOf("acme", { ...subject, merchantId: ours })).toBeNull();
    expect(obstacleOf("acme", { ...subject, merchantId: theirs })).toBe("not_offered");
    expect(obstacleOf("acme", subject)).toBeNull();
    expect(() => read({ ...ACME, merchants: ["shop"] })).toThrow("is not the id of a merchant");
  });
});
