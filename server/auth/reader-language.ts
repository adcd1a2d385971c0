// The language of who sent a request, for what the server says to them outside of a page.
import {
  DASHBOARD_LANGUAGES,
  type DashboardLanguage,
  IS_DASHBOARD_TRANSLATED,
} from "@/server/domain/dashboard-languages";
import { bestLanguage } from "@/server/http/accept-language";
import type { MemberSession } from "@/server/services/sign-in/sessions";
import { chosenLanguage } from "./member-language";
import { cellOfRequest } from "./request-session";

/** The member's choice, else the best of the browser's languages. English where the choice cannot be read. */
export async function readerLanguage(session: MemberSession | null, headers: Headers): Promise<DashboardLanguage> {
  if (!IS_DASHBOARD_TRANSLATED) return "en";
  const chosen = await chosenLanguage(await cellOfRequest(headers), () => session).catch(() => null);
  return chosen ?? bestLanguage(headers.get("accept-language"), DASHBOARD_LANGUAGES);
}
