// The session of a request, read from the database on every request by the browser's cookie.
import { allCells, type Cell } from "@/server/platform/cell";
import { cellOfSession, type SessionKey } from "@/server/services/sign-in/session-scope";
import { findMemberSession, type MemberSession } from "@/server/services/sign-in/sessions";
import { readCookie } from "./cookies";
import { openToken } from "./session-token";

/** Sent with requests that the browser makes without user action. They must not extend a session. */
const BACKGROUND_HEADER = "x-sluice-background";

/** What the browser's cookie says, which may have ended. Null for a visitor, and for a forged cookie. */
async function keyOfRequest(headers: Headers): Promise<SessionKey | null> {
  const sealed = readCookie(headers.get("cookie"), "session");
  const token = sealed && (await openToken({ token: sealed }));
  if (!token || !token.merchantId || !token.sid) return null;
  return { merchantId: token.merchantId, sessionId: token.sid };
}

/** The cell of a request's session, known without a database; the first one for a visitor. */
export async function cellOfRequest(headers: Headers): Promise<Cell> {
  const [first, ...further] = allCells();
  const key = further.length === 0 ? null : await keyOfRequest(headers);
  return key ? cellOfSession(key) : first;
}

/** Returns the open session of a request, or null for a visitor. */
export async function sessionOfRequest(headers: Headers): Promise<MemberSession | null> {
  const key = await keyOfRequest(headers);
  if (!key) return null;
  // The browser also opens event streams without user action, and cannot set headers on them.
  const isBackground = headers.has(BACKGROUND_HEADER) || headers.get("accept") === "text/event-stream";
  return findMemberSession(key, { isBackground });
}
