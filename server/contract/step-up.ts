// The proof that a member adds to an act: a one-time code, or the password of a member without codes.
import { z } from "zod";

export const stepUpProof = z.object({
  code: z.string().max(64).optional(),
  password: z.string().max(1_024).optional(),
});
