// The beginning of a fresh sign-in, which proves one act of a session.
import { freshSignInAnswer } from "@/server/auth/fresh-sign-in";

export const dynamic = "force-dynamic";

export { freshSignInAnswer as POST };
