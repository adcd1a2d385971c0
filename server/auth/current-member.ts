// Owns who is signed in, as pages ask on every request.
import { headers } from "next/headers";
import { cache } from "react";
import type { MemberSession } from "@/server/services/sign-in/sessions";
import type { SignedInMember } from "@/server/services/sign-in/sign-in";
import { sessionOfRequest } from "./request-session";

/** The session of this request, read once however often the page's parts ask; null for a visitor. */
export const currentSession = cache(async (): Promise<MemberSession | null> => sessionOfRequest(await headers()));

/** The member of this request's session, or null. */
export async function currentMember(): Promise<SignedInMember | null> {
  return (await currentSession())?.member ?? null;
}
