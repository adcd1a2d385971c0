// The challenge of a sign-in with a passkey.
import { passkeyChallengeAnswer } from "@/server/auth/passkey-challenge";

export const dynamic = "force-dynamic";

export { passkeyChallengeAnswer as POST };
