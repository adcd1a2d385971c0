// Signing in with a passkey, which counts as two factors.
import Credentials from "next-auth/providers/credentials";
import { passkeyAssertion } from "@/server/contract/passkeys";
import { forwardedAddress } from "@/server/http/client-address";
import type { Assertion } from "@/server/services/sign-in/passkeys";
import { signInByPasskey } from "@/server/services/sign-in/sign-in-by-passkey";
import { readCookie } from "./cookies";
import { readDevice } from "./device-cookie";
import { signInError } from "./sign-in-error";
import { enter, type Visit } from "./visit";

export function passkeyProvider(visit: Visit) {
  return Credentials({
    id: "passkey",
    credentials: { assertion: { type: "text" } },
    async authorize(given) {
      const assertion = readAssertion(given?.assertion);
      if (!assertion) return null;
      const { headers } = visit;
      const binding = readCookie(headers.get("cookie"), "passkey");
      try {
        const address = forwardedAddress(headers);
        const member = await signInByPasskey({ assertion, binding, address, device: await readDevice(headers) });
        return member && (await enter(visit, member, "passkey"));
      } catch (error) {
        throw signInError(error);
      }
    },
  });
}

/** Returns what the browser's authenticator signed, or null for anything else. */
function readAssertion(text: unknown): Assertion | null {
  try {
    return passkeyAssertion.safeParse(typeof text === "string" ? JSON.parse(text) : null).data ?? null;
  } catch {
    return null;
  }
}
