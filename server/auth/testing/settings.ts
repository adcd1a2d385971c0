// The settings of tests of sign-in that need no database.
import { randomBytes } from "node:crypto";
import { type Env, loadEnv } from "@/server/platform/env";
import { createKeyRing, type KeyRing } from "@/server/platform/key-ring";

const shared = globalThis as typeof globalThis & { sluiceKeyRing?: KeyRing; sluiceEnv?: Env };

export const ORIGIN = "https://pay.example.com";
export const ISSUER = "https://login.example.com/staff";
export const OPENID = { OIDC_ISSUER: ISSUER, OIDC_CLIENT_ID: "sluice", OIDC_CLIENT_SECRET: "s" };

/** Sets new secrets and these variables; the last proxy's address is trusted to say the caller's. */
export function applySettings(variables: Readonly<Record<string, string>> = {}): void {
  shared.sluiceKeyRing = createKeyRing([randomBytes(32)]);
  shared.sluiceEnv = loadEnv({ BASE_URL: ORIGIN, TRUSTED_PROXIES: "10.0.0.0/8", LOG_LEVEL: "fatal", ...variables });
}

/** Headers of a browser behind the proxy, at 192.0.2.1. */
export function browser(headers: Readonly<Record<string, string>> = {}): Headers {
  return new Headers({ "x-forwarded-for": "192.0.2.1, 10.0.0.1", "user-agent": "Firefox", ...headers });
}

/** The value of a cookie in a Set-Cookie header. */
export function valueIn(setCookie: string): string {
  return /=([^;]*)/.exec(setCookie)?.[1] ?? "";
}
