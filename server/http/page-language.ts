// The language of the dashboard's pages, and of signing in.
import { DASHBOARD_LANGUAGES, type DashboardLanguage } from "@/server/domain/dashboard-languages";
import { bestLanguage } from "./accept-language";

/** The front page and the documentation are in English; the payer's page has languages of its own. */
const OTHERS = /^\/(?:(?:docs|pay)(?:[/?]|$)|[?]|$)/;

interface PageReader {
  /** The path of the page, as proxy.ts passes it. */
  readonly path: string;
  /** The header of the request. */
  readonly acceptLanguage: string | null;
  /** Reads what the member has chosen; null without a member or a choice. */
  readonly chosen: () => Promise<DashboardLanguage | null>;
}

/** The member's choice, else the best of the browser's languages; never guessed from an address. */
export async function languageOfPage({ path, acceptLanguage, chosen }: PageReader): Promise<DashboardLanguage> {
  if (OTHERS.test(path)) return "en";
  return (await chosen()) ?? bestLanguage(acceptLanguage, DASHBOARD_LANGUAGES);
}
