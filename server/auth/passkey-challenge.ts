// The beginning of a sign-in with a passkey: a challenge, bound to the browser by a cookie.
import { toResponse } from "@/server/http/exchange";
import { isSameOrigin } from "@/server/http/payer/same-origin";
import { PRIVATE, publicAnswer } from "@/server/http/public-answer";
import { jsonAnswer } from "@/server/http/response";
import { randomText } from "@/server/platform/ids";
import { beginPasskeySignIn, CHALLENGE_MS } from "@/server/services/sign-in/passkeys";
import { setCookie } from "./cookies";

const BINDING_LENGTH = 32;

/** Answers the options for the browser's authenticator. The challenge is good for one sign-in of this browser. */
export function passkeyChallengeAnswer(request: Request): Promise<Response> {
  return publicAnswer(request.headers, async (requestId) => {
    if (!isSameOrigin(request.headers)) return new Response("This form belongs to another page.\n", { status: 403 });
    const binding = randomText(BINDING_LENGTH);
    const options = await beginPasskeySignIn(binding);
    const header = setCookie("passkey", binding, { maxAgeSeconds: CHALLENGE_MS / 1_000, sameSite: "Strict" });
    return toResponse(jsonAnswer(200, JSON.stringify(options), requestId, { ...PRIVATE, "set-cookie": header }));
  });
}
