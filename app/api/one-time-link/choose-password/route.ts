// Sets a password by a one-time link.
import { choosePasswordAnswer } from "@/server/http/one-time-link";

export const dynamic = "force-dynamic";

export { choosePasswordAnswer as POST };
