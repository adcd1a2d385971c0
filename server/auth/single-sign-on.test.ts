import { NextRequest } from "next/server";
import { beforeEach, expect, it } from "vitest";
import { type Env, loadEnv } from "@/server/platform/env";
import { completeSingleSignOn, openIdProviders, unexpectedCallback } from "./single-sign-on";
import { newVisit } from "./visit";

const shared = globalThis as typeof globalThis & { sluiceEnv?: Env };
const ISSUER = "https://login.example.com/staff";

beforeEach(() => {
  shared.sluiceEnv = loadEnv({
    BASE_URL: "https://pay.example.com",
    OIDC_ISSUER: ISSUER,
    OIDC_CLIENT_ID: "sluice",
    OIDC_CLIENT_SECRET: "s",
  });
});

it.each([
  ["another issuer", { iss: "https://login.example.com/other", sub: "1" }],
  ["an issuer that only begins alike", { iss: `${ISSUER}/`, sub: "1" }],
  ["no issuer", { sub: "1" }],
  ["no subject", { iss: ISSUER }],
  ["an empty subject", { iss: ISSUER, sub: "" }],
  ["a subject that is too long", { iss: ISSUER, sub: "s".repeat(256) }],
  ["nothing", undefined],
])("claims of %s sign nobody in", async (_, claims) => {
  const outcome = await completeSingleSignOn(newVisit(new Headers()), claims);
  expect(outcome).toBe("https://pay.example.com/sign-in?error=Provider");
});

it.each([
  ["/api/auth/callback/openid?code=1&state=2", "", true],
  ["/api/auth/callback/openid?code=1&state=2", "__Host-sluice.state=sealed", false],
  ["/api/auth/callback/credentials", "", false],
])("a callback %s with the cookie %j is unexpected: %s", (path, cookie, isUnexpected) => {
  const request = {
    headers: new Headers({ cookie }),
    nextUrl: new NextRequest(`https://pay.example.com${path}`).nextUrl,
  };
  const page = "https://pay.example.com/sign-in?error=Provider";
  expect(unexpectedCallback(request)).toBe(isUnexpected ? page : null);
});

it("asks for no more than the address, with PKCE, state and nonce", () => {
  expect(openIdProviders()).toMatchObject([
    {
      wellKnown: `${ISSUER}/.well-known/openid-configuration`,
      checks: ["pkce", "state", "nonce"],
      idToken: true,
      authorization: { params: { scope: "openid email" } },
    },
  ]);
});

it("is not offered without a provider", () => {
  shared.sluiceEnv = loadEnv({});
  expect(openIdProviders()).toEqual([]);
});
