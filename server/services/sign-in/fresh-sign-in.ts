// A fresh sign-in at the OpenID provider proves one act of a session.

import { actOf, recordEvent } from "@/server/db/audit/record";
import { insertFreshSignIn, isAwaited, proveFreshSignIn, takeFreshSignIn } from "@/server/db/fresh-sign-ins";
import { findSubject } from "@/server/db/identities";
import type { CallContext } from "@/server/domain/scope";
import { now } from "@/server/platform/clock";
import { sha256Hex } from "@/server/platform/crypto";
import { env } from "@/server/platform/env";
import { randomText } from "@/server/platform/ids";
import { type SessionKey, withinSession } from "./session-scope";
import type { MemberSession } from "./sessions";
import type { ProvenIdentity } from "./sign-in-by-identity";

/** From asking to the act, in ms. */
export const FRESH_MS = 5 * 60_000;
/** The provider's clock may be this much behind, in ms; times in its tokens are whole seconds. */
const CLOCK_LEEWAY_MS = 10_000;
/** From an alphabet of 62 characters: 256 bits. */
const ID_LENGTH = 43;

function rowOf({ merchantId, sessionId }: SessionKey, id: string) {
  return { merchantId, sessionId, idHash: sha256Hex(id) };
}

/** Returns the id (43 letters and digits) of a fresh sign-in that the session awaits, for five minutes. */
export async function beginFreshSignIn(session: SessionKey): Promise<string> {
  const id = randomText(ID_LENGTH);
  const at = now();
  const times = { at, expiresAt: new Date(at.getTime() + FRESH_MS) };
  await withinSession(session, () => insertFreshSignIn(rowOf(session, id), times));
  return id;
}

/** True if the session awaits the fresh sign-in of this id. */
export async function awaitsFreshSignIn(session: SessionKey, id: string): Promise<boolean> {
  return withinSession(session, () => isAwaited(rowOf(session, id), now()));
}

/**
 * Makes the awaited sign-in usable. Returns false, with an audit entry, unless the person is the session's member, and
 * signed in at the provider after the session asked: a sign-in from before proves nothing about who is there now.
 */
export async function completeFreshSignIn(
  session: MemberSession,
  id: string,
  { issuer, subject, authenticatedAt }: ProvenIdentity,
): Promise<boolean> {
  const { merchantId, member } = session;
  return withinSession(session, async () => {
    const isMember = (await findSubject({ merchantId, memberId: member.id }, issuer)) === subject;
    const askedBefore = authenticatedAt && new Date(authenticatedAt.getTime() + CLOCK_LEEWAY_MS);
    const isProved =
      isMember && askedBefore !== null && (await proveFreshSignIn(rowOf(session, id), { at: now(), askedBefore }));
    if (isProved) return true;
    const act = actOf({ actor: { type: "member", id: member.id }, requestId: null, address: null });
    const event = { merchantId, environment: null, action: "member.fresh_sign_in_refused", objectId: member.id };
    await recordEvent({ ...event, before: null, after: { is_member: isMember } }, act);
    return false;
  });
}

/** Uses a completed sign-in up, for one act of the session that asked for it. */
export async function spendFreshSignIn({ scope, sessionId }: CallContext, id: string): Promise<boolean> {
  if (sessionId === undefined) return false;
  return takeFreshSignIn(rowOf({ merchantId: scope.merchantId, sessionId }, id), now());
}

/** True if the member can sign in afresh: they have an identity at the provider that is configured now. */
export async function canSignInAfresh({ scope, actor }: CallContext): Promise<boolean> {
  const { openId } = env();
  if (openId === null) return false;
  return (await findSubject({ merchantId: scope.merchantId, memberId: actor.id }, openId.issuer)) !== null;
}
