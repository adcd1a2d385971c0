// The sessions of signed-in members: how long they last, who they are now, and ending them.
import { findSession, insertSession, revokeSessions, touchSession } from "@/server/db/sessions";
import type { CallContext } from "@/server/domain/scope";
import { now } from "@/server/platform/clock";
import { isId, newId } from "@/server/platform/ids";
import type { SignedInMember } from "./sign-in";

const MINUTE_MS = 60_000;
/** Without a request of the member's own in that time, a session is over. */
const IDLE_MS = 15 * MINUTE_MS;
/** However busy, a session ends then. */
export const LIFETIME_MS = 8 * 60 * MINUTE_MS;
/** Being seen is noted no more often than this. */
const SEEN_EVERY_MS = MINUTE_MS;

/** Names a session; sealed in the browser's cookie. */
export interface SessionKey {
  readonly merchantId: string;
  readonly sessionId: string;
}

export interface MemberSession extends SessionKey {
  readonly member: SignedInMember;
}

/** Begins a session of a member who has just proved who they are; gives its id. */
export async function openSession(member: Pick<SignedInMember, "id" | "merchantId">, address: string): Promise<string> {
  const at = now();
  const id = newId("session");
  const { merchantId, id: memberId } = member;
  const session = { merchantId, id, memberId, address, expiresAt: new Date(at.getTime() + LIFETIME_MS) };
  const actor = { type: "member", id: memberId } as const;
  await insertSession(session, { actor, requestId: null, address: address === "" ? null : address, at });
  return id;
}

/**
 * The session with its member as of now, roles included; null once it was ended, has been idle for 15 minutes, is 8 hours
 * old, or its member was disabled. A request that the browser makes on its own (`isBackground`) does not keep it alive.
 */
export async function findMemberSession(
  { merchantId, sessionId }: SessionKey,
  { isBackground }: { readonly isBackground: boolean },
): Promise<MemberSession | null> {
  const row = isId("session", sessionId) ? await findSession(merchantId, sessionId) : null;
  if (!row || row.revokedAt !== null || row.disabledAt !== null) return null;
  const at = now();
  const idleFor = at.getTime() - row.lastSeenAt.getTime();
  if (row.expiresAt <= at || idleFor >= IDLE_MS) return null;
  if (!isBackground && idleFor >= SEEN_EVERY_MS) await touchSession(merchantId, sessionId, at);
  const { memberId, email, roles, merchantName } = row;
  return { merchantId, sessionId, member: { id: memberId, email, roles, merchantId, merchantName } };
}

/** Ends one session, or every one of the member's; gives how many were open. Counts from the next request on. */
export async function endSessions(
  session: MemberSession,
  which: "this" | "all",
  call: Pick<CallContext, "requestId" | "address">,
): Promise<number> {
  const { merchantId, member, sessionId } = session;
  const id = which === "this" ? sessionId : null;
  const { requestId, address } = call;
  const actor = { type: "member", id: member.id } as const;
  return revokeSessions({ merchantId, memberId: member.id, id }, { actor, requestId, address, at: now() });
}
