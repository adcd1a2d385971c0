// Owns the cookies of signing in: their names, and whom browsers give them to.
import type { CookieOption } from "next-auth";
import { env } from "@/server/platform/env";

export type CookieSubject = "session" | "csrf" | "callback";

/** Browsers keep `__Host-` cookies only over https, for the one host and path /; plain http is for localhost. */
export function cookie(subject: CookieSubject): CookieOption {
  const isSecure = env().baseUrl.startsWith("https://");
  return {
    name: isSecure ? `__Host-sluice.${subject}` : `sluice.${subject}`,
    options: { httpOnly: true, sameSite: "lax", path: "/", secure: isSecure },
  };
}

/** The value of a cookie in a Cookie header; null when it is not there. */
export function readCookie(header: string | null, subject: CookieSubject): string | null {
  const start = `${cookie(subject).name}=`;
  const pair = header?.split(";").find((part) => part.trimStart().startsWith(start));
  return pair?.trim().slice(start.length) ?? null;
}
