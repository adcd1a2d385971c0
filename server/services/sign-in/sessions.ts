// Sessions of signed-in members.
import { hasMerchantLeft } from "@/server/db/failures";
import {
  findSession,
  insertSession,
  listOpenSessions,
  type OpenSession,
  revokeSessions,
  type SignInMethod,
  touchSession,
} from "@/server/db/sessions";
import type { CallContext } from "@/server/domain/scope";
import { now } from "@/server/platform/clock";
import { isId, newId } from "@/server/platform/ids";
import { withinMerchant } from "@/server/platform/reach";
import { type SessionKey, withinSession } from "./session-scope";
import type { ProvenMember, SignedInMember } from "./sign-in";

export type { SignInMethod } from "@/server/db/sessions";
export type { SessionKey } from "./session-scope";

const MINUTE_MS = 60_000;
/** A session ends after this time without a request by the member. */
const IDLE_MS = 15 * MINUTE_MS;
/** A session ends after this time even if it is in use. */
export const LIFETIME_MS = 8 * 60 * MINUTE_MS;
/** The time of the last request is stored at most this often. */
const SEEN_EVERY_MS = MINUTE_MS;

const LONGEST_USER_AGENT = 512;

export interface MemberSession extends SessionKey {
  readonly member: SignedInMember;
  /** True if the member must set up one-time codes first. Until then the session has no role. */
  readonly mustEnrol: boolean;
}

/**
 * Starts a session for a member of the running work's cell who has just authenticated; returns its id. Returns null if the
 * member was disabled, or if sessions of theirs were ended, since: what was proved may not count any more.
 */
export async function openSession(
  member: Omit<ProvenMember, "cell">,
  address: string,
  userAgent = "",
  method: SignInMethod = "password",
): Promise<string | null> {
  const at = now();
  const id = newId("session");
  const { merchantId, id: memberId, accessVersion } = member;
  const expiresAt = new Date(at.getTime() + LIFETIME_MS);
  const session = {
    merchantId,
    id,
    memberId,
    address,
    userAgent: storable(userAgent),
    method,
    expiresAt,
    accessVersion,
  };
  const actor = { type: "member", id: memberId } as const;
  const act = { actor, requestId: null, address: address === "" ? null : address, at };
  return (await withinMerchant(merchantId, () => insertSession(session, act))) ? id : null;
}

/** Drops control characters and half characters, which the database may refuse. */
function storable(userAgent: string): string {
  return userAgent
    .replaceAll(/\p{Cc}/gu, "")
    .slice(0, LONGEST_USER_AGENT)
    .toWellFormed();
}

/**
 * Returns the session with its member's current roles. Returns null if it was ended, has been idle for 15 minutes, is 8
 * hours old, or its member was disabled. The session of a member who lacks required one-time codes has no role. A
 * background request of the browser (`isBackground`) does not extend it.
 */
export async function findMemberSession(
  key: SessionKey,
  request: { readonly isBackground: boolean },
): Promise<MemberSession | null> {
  try {
    return await withinSession(key, () => findWithinMerchant(key, request));
  } catch (error) {
    // A session ends with its merchant's move to another cell; its people sign in again there.
    if (hasMerchantLeft(error)) return null;
    throw error;
  }
}

async function findWithinMerchant(
  { merchantId, sessionId }: SessionKey,
  { isBackground }: { readonly isBackground: boolean },
): Promise<MemberSession | null> {
  const row = isId("session", sessionId) ? await findSession(merchantId, sessionId) : null;
  if (!row || row.revokedAt !== null || row.disabledAt !== null) return null;
  const at = now();
  const idleFor = at.getTime() - row.lastSeenAt.getTime();
  if (row.expiresAt <= at || idleFor >= IDLE_MS) return null;
  if (!isBackground && idleFor >= SEEN_EVERY_MS) await touchSession(merchantId, sessionId, at);
  const { memberId, email, name, merchantName, mustEnrol } = row;
  // Without a role, every act but those on the member's own account is rejected.
  const held = mustEnrol ? { roles: [], testRoles: null } : { roles: row.roles, testRoles: row.testRoles };
  return { merchantId, sessionId, member: { id: memberId, email, name, ...held, merchantId, merchantName }, mustEnrol };
}

/** True if the session was ended before its time, by anybody. */
export async function hasSessionEnded({ merchantId, sessionId }: SessionKey): Promise<boolean> {
  const row = await findSession(merchantId, sessionId);
  return row !== null && row.revokedAt !== null;
}

/** A session that was last used by then has ended. */
export function idleSince(at: Date): Date {
  return new Date(at.getTime() - IDLE_MS);
}

/** Returns the member's open sessions, last used first. */
export function openSessionsOf({ merchantId, member }: MemberSession): Promise<OpenSession[]> {
  const at = now();
  return listOpenSessions({ merchantId, memberId: member.id }, { at, usedSince: idleSince(at) });
}

/**
 * Ends the member's current session, all, all others, or the one of an id, effective from the next request; returns how
 * many were open.
 */
export async function endSessions(
  session: MemberSession,
  which: "this" | "all" | "others" | { readonly id: string },
  call: Pick<CallContext, "requestId" | "address">,
): Promise<number> {
  if (typeof which === "object" && !isId("session", which.id)) return 0;
  const { merchantId, member, sessionId } = session;
  const id = typeof which === "object" ? which.id : which === "this" ? sessionId : null;
  const except = which === "others" ? { except: sessionId } : {};
  const { requestId, address } = call;
  const actor = { type: "member", id: member.id } as const;
  const ended = { merchantId, memberId: member.id, id, ...except };
  return withinSession(session, () => revokeSessions(ended, { actor, requestId, address, at: now() }));
}
