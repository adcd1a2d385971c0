// One request to next-auth: what it brings, and what its answer must set besides next-auth's own cookies.
import { forwardedAddress } from "@/server/http/client-address";
import { inCell } from "@/server/platform/cell";
import { type Device, rememberDevice } from "@/server/services/sign-in/known-device";
import { openSession, type SignInMethod } from "@/server/services/sign-in/sessions";
import type { ProvenMember } from "@/server/services/sign-in/sign-in";
import type { ProvenIdentity } from "@/server/services/sign-in/sign-in-by-identity";
import type { CookieSubject } from "./cookies";
import { readDevice } from "./device-cookie";

export interface Visit {
  readonly headers: Headers;
  /** The new content of the browser's device cookie, after a sign-in. */
  device: Device | null;
  /** The session that single sign-on has opened. */
  opened: OpenedSession | null;
  /** Who has proved their identity, and must choose a merchant or connect a member. */
  choosing: ProvenIdentity | null;
  /** Cookies that have served their purpose. */
  readonly spentCookies: Set<CookieSubject>;
}

interface OpenedSession {
  /** The member's id. */
  readonly id: string;
  readonly merchantId: string;
  readonly sessionId: string;
}

export function newVisit(headers: Headers): Visit {
  return { headers, device: null, opened: null, choosing: null, spentCookies: new Set() };
}

/**
 * Opens the session of a member who has proved who they are, in the member's cell, and remembers the browser. Returns null
 * if the member's access has changed meanwhile.
 */
export async function enter(visit: Visit, member: ProvenMember, method: SignInMethod): Promise<OpenedSession | null> {
  const { headers } = visit;
  const { id, merchantId } = member;
  const known = await readDevice(headers);
  return inCell(member.cell, async () => {
    const sessionId = await openSession(member, forwardedAddress(headers), headers.get("user-agent") ?? "", method);
    if (sessionId === null) return null;
    visit.device = await rememberDevice(member, known);
    return { id, merchantId, sessionId };
  });
}
