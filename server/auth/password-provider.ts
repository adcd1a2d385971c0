// Signing in with the password, and a one-time code where the member has codes.
import Credentials from "next-auth/providers/credentials";
import { forwardedAddress } from "@/server/http/client-address";
import { type SignInAttempt, signIn } from "@/server/services/sign-in/sign-in";
import { readDevice } from "./device-cookie";
import { untilNextStep } from "./failure-time";
import { signInError } from "./sign-in-error";
import { enter, type Visit } from "./visit";

export function passwordProvider(visit: Visit) {
  return Credentials({
    credentials: { email: { type: "email" }, password: { type: "password" }, code: { type: "text" } },
    // Wrong credentials return null. A thrown message ends up in a URL, so it is only one of these codes.
    async authorize(given) {
      if (typeof given?.email !== "string" || typeof given.password !== "string") return null;
      const { email, password, code } = given;
      const { headers } = visit;
      const attempt = { email, password, code, address: forwardedAddress(headers), device: await readDevice(headers) };
      return begin(visit, attempt).catch((error: unknown) => {
        throw signInError(error, code);
      });
    },
  });
}

async function begin(visit: Visit, attempt: SignInAttempt) {
  const startedAt = performance.now();
  const member = await signIn(attempt);
  if (member) return enter(visit, member, "password");
  await untilNextStep(startedAt);
  return null;
}
