// The sign-in cookies: their names and attributes.
import type { CookieOption } from "next-auth";
import { env } from "@/server/platform/env";

export type CookieSubject =
  | "session"
  | "csrf"
  | "callback"
  | "device"
  | "passkey"
  // Of a sign-in at the OpenID provider.
  | "state"
  | "nonce"
  | "pkce"
  | "fresh"
  | "choice";

/** Whether cookies are sent over https only, as the address of the service says. */
function isSecure(): boolean {
  return env().baseUrl.startsWith("https://");
}

/** Browsers accept `__Host-` cookies only over https, for one host and path /. Plain http is for localhost. */
export function cookie(subject: CookieSubject): CookieOption {
  return {
    name: isSecure() ? `__Host-sluice.${subject}` : `sluice.${subject}`,
    options: { httpOnly: true, sameSite: "lax", path: "/", secure: isSecure() },
  };
}

/** Returns the value of a cookie in a Cookie header, or null if it is absent. */
export function readCookie(header: string | null, subject: CookieSubject): string | null {
  const start = `${cookie(subject).name}=`;
  const pair = header?.split(";").find((part) => part.trimStart().startsWith(start));
  return pair?.trim().slice(start.length) ?? null;
}

interface CookieLife {
  readonly maxAgeSeconds: number;
  /** Strict cookies do not accompany a navigation from another site. */
  readonly sameSite: "Lax" | "Strict";
}

/** Returns the Set-Cookie header of a cookie that next-auth does not manage. */
export function setCookie(subject: CookieSubject, value: string, { maxAgeSeconds, sameSite }: CookieLife): string {
  const attributes = [
    `${cookie(subject).name}=${value}`,
    `Max-Age=${maxAgeSeconds}`,
    "Path=/",
    "HttpOnly",
    `SameSite=${sameSite}`,
  ];
  return [...attributes, ...(isSecure() ? ["Secure"] : [])].join("; ");
}

/** Returns the Set-Cookie header that removes a cookie. */
export function endedCookie(subject: CookieSubject): string {
  return setCookie(subject, "", { maxAgeSeconds: 0, sameSite: "Lax" });
}
