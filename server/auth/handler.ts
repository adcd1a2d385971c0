// next-auth's own routes: the CSRF token, signing in and signing out.
import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { tellNextAuth } from "@/server/platform/env";
import { endedCookie } from "./cookies";
import { deviceCookie } from "./device-cookie";
import { choiceCookie } from "./merchant-choice";
import { authOptions } from "./options";
import { unexpectedCallback } from "./single-sign-on";
import { newVisit } from "./visit";

export interface AuthRouteContext {
  readonly params: Promise<{ readonly nextauth: string[] }>;
}

const MAXIMUM_BODY_BYTES = 16 * 1024;

/** Answers a request below /api/auth. Rejects bodies without a length or longer than 16 KiB without reading them. */
export async function handleAuth(request: NextRequest, context: AuthRouteContext): Promise<Response> {
  const length = Number(request.headers.get("content-length") ?? (request.body ? Number.NaN : 0));
  if (!(length <= MAXIMUM_BODY_BYTES)) return new Response(null, { status: 413, headers: { connection: "close" } });
  // next-auth declares a plain object, as before Next 15, but awaits the promise.
  const elsewhere = unexpectedCallback(request);
  if (elsewhere !== null) return new Response(null, { status: 302, headers: { location: elsewhere } });
  tellNextAuth();
  const visit = newVisit(request.headers);
  const response = (await NextAuth(request, context as never, authOptions(visit))) as Response;
  response.headers.set("cache-control", "no-store");
  if (visit.device) response.headers.append("set-cookie", await deviceCookie(visit.device));
  if (visit.choosing) response.headers.append("set-cookie", await choiceCookie(visit.choosing));
  for (const subject of visit.spentCookies) response.headers.append("set-cookie", endedCookie(subject));
  return response;
}
