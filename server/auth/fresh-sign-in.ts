// The beginning of a fresh sign-in at the OpenID provider: an id, bound to the browser by a cookie.

import { ServiceError } from "@/server/domain/errors";
import { toResponse } from "@/server/http/exchange";
import { isSameOrigin } from "@/server/http/payer/same-origin";
import { PRIVATE, publicAnswer } from "@/server/http/public-answer";
import { jsonAnswer } from "@/server/http/response";
import { beginFreshSignIn, FRESH_MS } from "@/server/services/sign-in/fresh-sign-in";
import { setCookie } from "./cookies";
import { sessionOfRequest } from "./request-session";

/** Answers the id that the session's act gives as its proof, once the member has signed in at the provider. */
export function freshSignInAnswer(request: Request): Promise<Response> {
  return publicAnswer(request.headers, async (requestId) => {
    if (!isSameOrigin(request.headers)) return new Response("This form belongs to another page.\n", { status: 403 });
    const session = await sessionOfRequest(request.headers);
    if (!session) throw new ServiceError("unauthorized", "Sign in first.");
    const id = await beginFreshSignIn(session);
    // The provider's answer is a navigation from another site, which strict cookies would not accompany.
    const header = setCookie("fresh", id, { maxAgeSeconds: FRESH_MS / 1_000, sameSite: "Lax" });
    return toResponse(jsonAnswer(200, JSON.stringify({ id }), requestId, { ...PRIVATE, "set-cookie": header }));
  });
}
