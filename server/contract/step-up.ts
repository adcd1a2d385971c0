// The proof that a member adds to an act: a passkey, a one-time code, or the password or a fresh sign-in of a member with
// neither.
import { z } from "zod";
import { passkeyAssertion } from "./passkeys";

export const stepUpProof = z.object({
  code: z.string().max(64).optional(),
  password: z.string().max(1_024).optional(),
  freshSignIn: z.string().max(64).optional(),
  passkey: passkeyAssertion.optional(),
});
