// next-auth's settings: passwords, passkeys and single sign-on; encrypted session tokens, cookies of this origin only.

import type { NextAuthOptions } from "next-auth";
import type { JWT } from "next-auth/jwt";
import { env } from "@/server/platform/env";
import { log } from "@/server/platform/log";
import { endSessions, findMemberSession, LIFETIME_MS } from "@/server/services/sign-in/sessions";
import { cookie } from "./cookies";
import { merchantChoiceProvider } from "./merchant-choice";
import { ownPath } from "./own-path";
import { passkeyProvider } from "./passkey-provider";
import { passwordProvider } from "./password-provider";
import { openToken, sealToken, sessionSecret } from "./session-token";
import { completeSingleSignOn, OPENID, openIdProviders } from "./single-sign-on";
import type { Visit } from "./visit";

/** Ends the stored session with the cookie, so that a copy of the cookie is useless. */
async function end({ merchantId, sid }: JWT): Promise<void> {
  if (!merchantId || !sid) return;
  const session = await findMemberSession({ merchantId, sessionId: sid }, { isBackground: true });
  if (session) await endSessions(session, "this", { requestId: null, address: null });
}

function providers(visit: Visit): NextAuthOptions["providers"] {
  const own = env().openId?.isOnlyWay ? [] : [passwordProvider(visit), passkeyProvider(visit)];
  return [...own, ...openIdProviders(), ...(env().openId ? [merchantChoiceProvider(visit)] : [])];
}

/** Returns the settings for one request. */
export function authOptions(visit: Visit): NextAuthOptions {
  const { baseUrl } = env();
  return {
    secret: sessionSecret(),
    providers: providers(visit),
    session: { strategy: "jwt", maxAge: LIFETIME_MS / 1_000 },
    jwt: { encode: sealToken, decode: openToken },
    useSecureCookies: baseUrl.startsWith("https://"),
    cookies: {
      sessionToken: cookie("session"),
      csrfToken: cookie("csrf"),
      callbackUrl: cookie("callback"),
      state: cookie("state"),
      nonce: cookie("nonce"),
      pkceCodeVerifier: cookie("pkce"),
    },
    pages: { signIn: "/sign-in", signOut: "/", error: "/sign-in" },
    callbacks: {
      signIn: ({ account, profile }) => account?.provider !== OPENID || completeSingleSignOn(visit, profile),
      jwt: ({ token, user }) => {
        const opened = visit.opened ?? user;
        return opened ? { sub: opened.id, merchantId: opened.merchantId, sid: opened.sessionId } : token;
      },
      session: ({ session, token }) => ({
        expires: session.expires,
        memberId: token.sub ?? "",
        merchantId: token.merchantId ?? "",
      }),
      // next-auth stores what this returned before the provider's pages, and asks again after them.
      redirect: ({ url }) => baseUrl + (ownPath(url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url) ?? ""),
    },
    events: { signOut: ({ token }) => end(token) },
    logger: {
      error: (code, { message }) => log().warn({ code, message }, "next-auth"),
      warn: (code) => log().debug({ code }, "next-auth"),
      debug: () => undefined,
    },
  };
}
