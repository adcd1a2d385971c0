// The signed-in member of the current page request.
import { headers } from "next/headers";
import { cache } from "react";
import { isReady } from "@/server/services/outage";
import type { MemberSession } from "@/server/services/sign-in/sessions";
import type { SignedInMember } from "@/server/services/sign-in/sign-in";
import { cellOfRequest, sessionOfRequest } from "./request-session";

/** The session of this request, or null for a visitor. It is read once per request. */
export const currentSession = cache(async (): Promise<MemberSession | null> => sessionOfRequest(await headers()));

/** Returns the member of this request's session, or null. */
export async function currentMember(): Promise<SignedInMember | null> {
  return (await currentSession())?.member ?? null;
}

/** The same; also null while the database of the session's cell does not answer. */
export async function currentMemberIfReady(): Promise<SignedInMember | null> {
  return (await isReady(await cellOfRequest(await headers()))) ? currentMember() : null;
}
