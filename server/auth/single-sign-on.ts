// Single sign-on with the operator's OpenID provider. A sign-in there opens a session, or proves one act of an open one.
import type { NextRequest } from "next/server";
import type { OAuthConfig } from "next-auth/providers/oauth";
import { z } from "zod";
import { forwardedAddress } from "@/server/http/client-address";
import { env } from "@/server/platform/env";
import { log } from "@/server/platform/log";
import type { OpenIdSetting } from "@/server/platform/openid-setting";
import { awaitsFreshSignIn, completeFreshSignIn } from "@/server/services/sign-in/fresh-sign-in";
import type { SignInMethod } from "@/server/services/sign-in/sessions";
import { type ProvenIdentity, signInByIdentity } from "@/server/services/sign-in/sign-in-by-identity";
import { readCookie } from "./cookies";
import { ownPath } from "./own-path";
import { sessionOfRequest } from "./request-session";
import { enter, type Visit } from "./visit";

/** next-auth's id of the provider; its redirect address is BASE_URL/api/auth/callback/openid. */
export const OPENID = "openid";
/** The page in which a member signs in again. */
const AGAIN_PAGE = "/sign-in/again";
/** The page in which a person chooses a merchant, and connects a member who has a password. */
const CHOICE_PAGE = "/sign-in/merchant";

const PROVIDER_TIMEOUT_MS = 10_000;

/** What we read of an ID token and of the provider's user information (OpenID Connect Core 1.0, §2 and §5.1). */
const claimsSchema = z.object({
  iss: z.string(),
  sub: z.string().min(1).max(255),
  email: z.string().max(320).optional(),
  email_verified: z.union([z.boolean(), z.enum(["true", "false"])]).optional(),
  auth_time: z.number().int().optional(),
  /** Authentication methods (RFC 8176). */
  amr: z.array(z.string()).optional(),
});
type Claims = Record<string, unknown>;

/** What the sign-in page says about the provider; null without one. */
export function singleSignOn(): Pick<OpenIdSetting, "name" | "isOnlyWay"> | null {
  const { openId } = env();
  return openId && { name: openId.name, isOnlyWay: openId.isOnlyWay };
}

/** Returns next-auth's provider; none without OIDC_ISSUER. */
export function openIdProviders(): OAuthConfig<Claims>[] {
  const { openId } = env();
  if (openId === null) return [];
  return [
    {
      id: OPENID,
      name: openId.name,
      type: "oauth",
      // The signature, issuer, audience and times of the ID token are checked, and these three against replay.
      idToken: true,
      checks: ["pkce", "state", "nonce"],
      wellKnown: `${openId.issuer.replace(/\/$/, "")}/.well-known/openid-configuration`,
      clientId: openId.clientId,
      clientSecret: openId.clientSecret,
      authorization: { params: { scope: "openid email" } },
      httpOptions: { timeout: PROVIDER_TIMEOUT_MS },
      userinfo: { request: readClaims },
      profile: ({ sub }) => ({ id: String(sub), merchantId: "", sessionId: "" }),
    },
  ];
}

type UserinfoRequest = NonNullable<Exclude<OAuthConfig<Claims>["userinfo"], string | undefined>["request"]>;

/** The claims of the ID token, with the address from the user information if the token has none. */
const readClaims: UserinfoRequest = async ({ client, tokens }) => {
  // next-auth declares only the values, and passes the client's object.
  const received = tokens as Exclude<Parameters<typeof client.userinfo>[0], string>;
  const claims: Claims = received.claims();
  if (claims.email !== undefined || client.issuer.metadata.userinfo_endpoint === undefined) return claims;
  const { email, email_verified } = await client.userinfo<Claims>(received);
  return { ...claims, email, email_verified };
};

const CALLBACK = `/api/auth/callback/${OPENID}`;

/**
 * The page for a callback from the provider that this browser has not asked for; null for every other request. Handling one
 * would begin with a request to the provider, which strangers should not cause.
 */
export function unexpectedCallback({ headers, nextUrl }: Pick<NextRequest, "headers" | "nextUrl">): string | null {
  const isAsked = readCookie(headers.get("cookie"), "state") !== null;
  return nextUrl.pathname !== CALLBACK || isAsked ? null : `${env().baseUrl}/sign-in?error=Provider`;
}

/** Returns what the claims say, or null if they are not of the configured issuer or lack a subject. */
function identityIn(given: unknown, openId: OpenIdSetting): ProvenIdentity | null {
  const { data: claims } = claimsSchema.safeParse(given);
  if (claims?.iss !== openId.issuer) {
    log().error({ issuer: claims?.iss }, "single sign-on failed: OIDC_ISSUER differs from the issuer of the ID token");
    return null;
  }
  const isVerified = claims.email_verified === true || claims.email_verified === "true";
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: isVerified ? (claims.email?.trim().toLowerCase() ?? null) : null,
    authenticatedAt: claims.auth_time === undefined ? null : new Date(claims.auth_time * 1_000),
    hasTwoFactors: openId.alwaysTwoFactors || (claims.amr ?? []).includes("mfa"),
  };
}

/**
 * Completes a sign-in at the provider. Returns true if it opened a session, and otherwise the address of the page that
 * says what became of it.
 */
export async function completeSingleSignOn(visit: Visit, claims: unknown): Promise<true | string> {
  const { openId, baseUrl } = env();
  const identity = openId && identityIn(claims, openId);
  if (!identity) return `${baseUrl}/sign-in?error=Provider`;
  const proved = await prove(visit, identity);
  if (proved !== null) return `${baseUrl}${AGAIN_PAGE}?outcome=${proved ? "done" : "refused"}`;
  const member = await signInByIdentity(identity, forwardedAddress(visit.headers));
  if (member === "SeveralMerchants" || member === "PasswordRequired") {
    visit.choosing = identity;
    return `${baseUrl}${CHOICE_PAGE}?next=${encodeURIComponent(targetOf(visit.headers))}`;
  }
  if (typeof member === "string") return `${baseUrl}/sign-in?error=${member}`;
  visit.opened = await enter(visit, member, methodOf(identity));
  return visit.opened !== null || `${baseUrl}/sign-in?error=Changed`;
}

/** How a person signed in at the provider. */
export function methodOf({ hasTwoFactors }: ProvenIdentity): SignInMethod {
  return hasTwoFactors ? "single_sign_on_two_factors" : "single_sign_on";
}

/** The path that the person wanted, which next-auth keeps in a cookie as an address of ours. */
function targetOf(headers: Headers): string {
  const kept = decodeURIComponent(readCookie(headers.get("cookie"), "callback") ?? "");
  const { baseUrl } = env();
  return ownPath(kept.startsWith(`${baseUrl}/`) ? kept.slice(baseUrl.length) : undefined) ?? "/dashboard";
}

/** Whether it proves an act of the browser's open session; null if no such session asked for that. */
async function prove(visit: Visit, identity: ProvenIdentity): Promise<boolean | null> {
  const id = readCookie(visit.headers.get("cookie"), "fresh");
  if (id === null) return null;
  visit.spentCookies.add("fresh");
  const session = await sessionOfRequest(visit.headers);
  if (!session || !(await awaitsFreshSignIn(session, id))) return null;
  return completeFreshSignIn(session, id, identity);
}
