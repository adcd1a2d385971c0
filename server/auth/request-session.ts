// Owns whose request it is: the session named by the browser's cookie, looked up afresh for every request.
import { findMemberSession, type MemberSession } from "@/server/services/sign-in/sessions";
import { readCookie } from "./cookies";
import { openToken } from "./session-token";

/** Sent with requests that the browser makes without its user, which must not keep a session alive. */
const BACKGROUND_HEADER = "x-sluice-background";

/** The open session of a request, or null for a visitor. */
export async function sessionOfRequest(headers: Headers): Promise<MemberSession | null> {
  const sealed = readCookie(headers.get("cookie"), "session");
  const token = sealed && (await openToken({ token: sealed }));
  if (!token || !token.merchantId || !token.sid) return null;
  // The browser opens event streams by itself too, and can give them no header.
  const isBackground = headers.has(BACKGROUND_HEADER) || headers.get("accept") === "text/event-stream";
  return findMemberSession({ merchantId: token.merchantId, sessionId: token.sid }, { isBackground });
}
