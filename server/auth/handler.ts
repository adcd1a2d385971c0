// next-auth's own routes: the CSRF token, signing in and signing out.
import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import type { Device } from "@/server/services/sign-in/known-device";
import { deviceCookie } from "./device-cookie";
import { authOptions } from "./options";

export interface AuthRouteContext {
  readonly params: Promise<{ readonly nextauth: string[] }>;
}

const MAXIMUM_BODY_BYTES = 16 * 1024;

/** Answers a request below /api/auth. Rejects bodies without a length or longer than 16 KiB without reading them. */
export async function handleAuth(request: NextRequest, context: AuthRouteContext): Promise<Response> {
  const length = Number(request.headers.get("content-length") ?? (request.body ? Number.NaN : 0));
  if (!(length <= MAXIMUM_BODY_BYTES)) return new Response(null, { status: 413, headers: { connection: "close" } });
  // next-auth declares a plain object, as before Next 15, but awaits the promise.
  let device: Device | null = null;
  const options = authOptions((kept) => (device = kept));
  const response = (await NextAuth(request, context as never, options)) as Response;
  response.headers.set("cache-control", "no-store");
  if (device) response.headers.append("set-cookie", await deviceCookie(device));
  return response;
}
