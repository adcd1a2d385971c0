// The cookie of a browser in which a member has signed in, encrypted like the session's but not valid as one.
import type { Device } from "@/server/services/sign-in/known-device";
import { readCookie, setCookie } from "./cookies";
import { openToken, sealToken, sessionSecret } from "./session-token";

const SALT = "device";
/** A browser that was not used for signing in for this long becomes unknown. */
const LIFETIME_SECONDS = 180 * 86_400;

/** Returns the Set-Cookie header of a device. */
export async function deviceCookie({ id, memberId, passwordTag }: Device): Promise<string> {
  const token = { sub: memberId, deviceId: id, passwordTag };
  const value = await sealToken({ token, salt: SALT, maxAge: LIFETIME_SECONDS, secret: sessionSecret() });
  return setCookie("device", value, { maxAgeSeconds: LIFETIME_SECONDS, sameSite: "Lax" });
}

/** Returns the device of a request. Returns null without a cookie, and for a forged or expired one. */
export async function readDevice(headers: Headers): Promise<Device | null> {
  const sealed = readCookie(headers.get("cookie"), "device");
  const token = sealed === null ? null : await openToken({ token: sealed, salt: SALT });
  if (!token?.sub || !token.deviceId || !token.passwordTag) return null;
  return { id: token.deviceId, memberId: token.sub, passwordTag: token.passwordTag };
}
