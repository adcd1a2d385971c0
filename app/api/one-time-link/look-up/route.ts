// Whom a one-time link belongs to.
import { lookUpLinkAnswer } from "@/server/http/one-time-link";

export const dynamic = "force-dynamic";

export { lookUpLinkAnswer as POST };
