import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { type Env, loadEnv } from "@/server/platform/env";
import { createKeyRing, type KeyRing } from "@/server/platform/key-ring";
import { alteredCopies } from "@/server/testing/altered-token";
import { authOptions } from "./options";
import { openToken, sealToken, sessionSecret } from "./session-token";
import { newVisit } from "./visit";

const shared = globalThis as typeof globalThis & { sluiceKeyRing?: KeyRing; sluiceEnv?: Env };
const [older, newer, stranger] = [randomBytes(32), randomBytes(32), randomBytes(32)];
const token = { sub: "mem_1", merchantId: "mer_1" };

function useSecrets(...secrets: Buffer[]): void {
  shared.sluiceKeyRing = createKeyRing(secrets);
}

const seal = (maxAge = 60) => sealToken({ token, maxAge, secret: sessionSecret() });

beforeEach(() => useSecrets(older));

describe("a session token", () => {
  it("contains its member, encrypted", async () => {
    const sealed = await seal();
    expect(sealed).not.toContain("mem_1");
    expect(await openToken({ token: sealed })).toMatchObject(token);
  });

  it("opens after a new secret is put first, not after the old one is removed", async () => {
    const sealed = await seal();
    useSecrets(newer, older);
    expect(await openToken({ token: sealed })).toMatchObject(token);
    useSecrets(newer);
    expect(await openToken({ token: sealed })).toBeNull();
  });

  it("is null if forged, altered, expired or absent", async () => {
    const sealed = await seal();
    useSecrets(stranger);
    const forged = await seal();
    useSecrets(older);
    expect(await openToken({ token: forged })).toBeNull();
    const altered = alteredCopies(sealed);
    expect(altered).toHaveLength(4);
    for (const token of altered) expect(await openToken({ token })).toBeNull();
    expect(await openToken({ token: await seal(-60) })).toBeNull();
    expect(await openToken({ token: "" })).toBeNull();
  });
});

describe("session cookies", () => {
  const optionsFor = (baseUrl: string) => {
    shared.sluiceEnv = loadEnv({ BASE_URL: baseUrl });
    return authOptions(newVisit(new Headers())).cookies?.sessionToken;
  };

  it("are bound to the host over https", () => {
    const { name, options } = optionsFor("https://pay.example.com") ?? {};
    expect(name).toBe("__Host-sluice.session");
    expect(options).toEqual({ httpOnly: true, sameSite: "lax", path: "/", secure: true });
  });

  it("are plain without https, as on localhost", () => {
    const { name, options } = optionsFor("http://localhost:3000") ?? {};
    expect(name).toBe("sluice.session");
    expect(options).toMatchObject({ httpOnly: true, sameSite: "lax", secure: false });
  });

  it.each([
    ["/", "https://pay.example.com/"],
    ["/sign-in", "https://pay.example.com/sign-in"],
    ["https://pay.example.com/live/payouts?queue=mine", "https://pay.example.com/live/payouts?queue=mine"],
    ["https://pay.example.com//evil.example", "https://pay.example.com"],
    ["https://pay.example.com.evil.example/", "https://pay.example.com"],
    ["//evil.example", "https://pay.example.com"],
    ["/\\evil.example", "https://pay.example.com"],
    ["https://evil.example", "https://pay.example.com"],
  ])("are followed by a redirect within this origin only: %s", async (url, expected) => {
    optionsFor("https://pay.example.com");
    const redirect = authOptions(newVisit(new Headers())).callbacks?.redirect;
    expect(await redirect?.({ url, baseUrl: "http://localhost:3000" })).toBe(expected);
  });
});
