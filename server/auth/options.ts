// next-auth's settings: passwords and passkeys, encrypted session tokens, same-origin cookies only.

import type { NextAuthOptions } from "next-auth";
import type { JWT } from "next-auth/jwt";
import Credentials from "next-auth/providers/credentials";
import { passkeyAssertion } from "@/server/contract/passkeys";
import { CodeRequired } from "@/server/domain/errors";
import { forwardedAddress } from "@/server/http/client-address";
import { env } from "@/server/platform/env";
import { log } from "@/server/platform/log";
import { type Device, rememberDevice } from "@/server/services/sign-in/known-device";
import type { Assertion } from "@/server/services/sign-in/passkeys";
import { endSessions, findMemberSession, LIFETIME_MS, openSession } from "@/server/services/sign-in/sessions";
import { type SignInAttempt, signIn } from "@/server/services/sign-in/sign-in";
import { signInByPasskey } from "@/server/services/sign-in/sign-in-by-passkey";
import { cookie, readCookie } from "./cookies";
import { readDevice } from "./device-cookie";
import { untilNextStep } from "./failure-time";
import { ownPath } from "./own-path";
import { openToken, sealToken, sessionSecret } from "./session-token";

/** Shown by the sign-in form when the service, not the visitor, is at fault. */
const UNAVAILABLE = "Unavailable";
/** The address and the password are right, and a one-time code is missing or wrong. */
const CODE_REQUIRED = "CodeRequired";
const CODE_REFUSED = "CodeRefused";

/** Receives the new content of the browser's device cookie after a sign-in. */
export type KeepDevice = (device: Device) => void;

function credentials(keepDevice: KeepDevice) {
  return Credentials({
    credentials: { email: { type: "email" }, password: { type: "password" }, code: { type: "text" } },
    // Wrong credentials return null. A thrown message ends up in a URL, so it is only one of these codes.
    async authorize(given, { headers: plain }) {
      if (typeof given?.email !== "string" || typeof given.password !== "string") return null;
      const headers = new Headers(plain as Record<string, string>);
      const { email, password, code } = given;
      const attempt = { email, password, code, address: forwardedAddress(headers), device: await readDevice(headers) };
      return begin(attempt, headers.get("user-agent") ?? "", keepDevice).catch((error: unknown) => {
        if (error instanceof CodeRequired) throw new Error(code ? CODE_REFUSED : CODE_REQUIRED);
        log().error({ err: error }, "a sign-in attempt failed");
        throw new Error(UNAVAILABLE);
      });
    },
  });
}

/** A sign-in with a passkey; it counts as two factors. */
function passkeys(keepDevice: KeepDevice) {
  return Credentials({
    id: "passkey",
    credentials: { assertion: { type: "text" } },
    async authorize(given, { headers: plain }) {
      const assertion = readAssertion(given?.assertion);
      if (!assertion) return null;
      const headers = new Headers(plain as Record<string, string>);
      const address = forwardedAddress(headers);
      const binding = readCookie(headers.get("cookie"), "passkey");
      try {
        const member = await signInByPasskey({ assertion, binding, address });
        if (!member) return null;
        const device = await rememberDevice(member, await readDevice(headers));
        if (device) keepDevice(device);
        const sessionId = await openSession(member, address, headers.get("user-agent") ?? "", "passkey");
        return { id: member.id, merchantId: member.merchantId, sessionId };
      } catch (error) {
        log().error({ err: error }, "a sign-in attempt failed");
        throw new Error(UNAVAILABLE);
      }
    },
  });
}

/** Returns what the browser's authenticator signed, or null for anything else. */
function readAssertion(text: unknown): Assertion | null {
  try {
    return passkeyAssertion.safeParse(typeof text === "string" ? JSON.parse(text) : null).data ?? null;
  } catch {
    return null;
  }
}

async function begin(attempt: SignInAttempt, userAgent: string, keepDevice: KeepDevice) {
  const startedAt = performance.now();
  const member = await signIn(attempt);
  if (!member) {
    await untilNextStep(startedAt);
    return null;
  }
  const device = await rememberDevice(member, attempt.device ?? null);
  if (device) keepDevice(device);
  const { id, merchantId } = member;
  return { id, merchantId, sessionId: await openSession(member, attempt.address, userAgent) };
}

/** Ends the stored session with the cookie, so that a copy of the cookie is useless. */
async function end({ merchantId, sid }: JWT): Promise<void> {
  if (!merchantId || !sid) return;
  const session = await findMemberSession({ merchantId, sessionId: sid }, { isBackground: true });
  if (session) await endSessions(session, "this", { requestId: null, address: null });
}

/** Returns the settings of this process. Built on demand, because configuration is complete only after startup. */
export function authOptions(keepDevice: KeepDevice = () => undefined): NextAuthOptions {
  const { baseUrl } = env();
  return {
    secret: sessionSecret(),
    providers: [credentials(keepDevice), passkeys(keepDevice)],
    session: { strategy: "jwt", maxAge: LIFETIME_MS / 1_000 },
    jwt: { encode: sealToken, decode: openToken },
    useSecureCookies: baseUrl.startsWith("https://"),
    cookies: {
      sessionToken: cookie("session"),
      csrfToken: cookie("csrf"),
      callbackUrl: cookie("callback"),
    },
    pages: { signIn: "/sign-in", signOut: "/", error: "/sign-in" },
    callbacks: {
      jwt: ({ token, user }) => (user ? { sub: user.id, merchantId: user.merchantId, sid: user.sessionId } : token),
      session: ({ session, token }) => ({
        expires: session.expires,
        memberId: token.sub ?? "",
        merchantId: token.merchantId ?? "",
      }),
      redirect: ({ url }) => baseUrl + (ownPath(url) ?? ""),
    },
    events: { signOut: ({ token }) => end(token) },
    logger: {
      error: (code, { message }) => log().warn({ code, message }, "next-auth"),
      warn: (code) => log().debug({ code }, "next-auth"),
      debug: () => undefined,
    },
  };
}
