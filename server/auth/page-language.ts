// The language of the current page request.
import { headers } from "next/headers";
import { cache } from "react";
import { type DashboardLanguage, IS_DASHBOARD_TRANSLATED } from "@/server/domain/dashboard-languages";
import { languageOfPage } from "@/server/http/page-language";
import { currentSession } from "./current-member";
import { chosenLanguage } from "./member-language";
import { cellOfRequest } from "./request-session";

/** The language of this request's page, outside the payer's. Found once per request. */
export const pageLanguage = cache(async (): Promise<DashboardLanguage> => {
  if (!IS_DASHBOARD_TRANSLATED) return "en";
  const given = await headers();
  const path = given.get("x-sluice-path") ?? "/";
  const chosen = async () => chosenLanguage(await cellOfRequest(given), currentSession);
  return languageOfPage({ path, acceptLanguage: given.get("accept-language"), chosen });
});
