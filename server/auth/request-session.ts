// The session of a request, read from the database on every request by the browser's cookie.
import { findMemberSession, type MemberSession } from "@/server/services/sign-in/sessions";
import { readCookie } from "./cookies";
import { openToken } from "./session-token";

/** Sent with requests that the browser makes without user action. They must not extend a session. */
const BACKGROUND_HEADER = "x-sluice-background";

/** Returns the open session of a request, or null for a visitor. */
export async function sessionOfRequest(headers: Headers): Promise<MemberSession | null> {
  const sealed = readCookie(headers.get("cookie"), "session");
  const token = sealed && (await openToken({ token: sealed }));
  if (!token || !token.merchantId || !token.sid) return null;
  // The browser also opens event streams without user action, and cannot set headers on them.
  const isBackground = headers.has(BACKGROUND_HEADER) || headers.get("accept") === "text/event-stream";
  return findMemberSession({ merchantId: token.merchantId, sessionId: token.sid }, { isBackground });
}
