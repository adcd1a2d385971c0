// The languages of the dashboard, and of signing in.

/** The languages that the dashboard's catalogues are complete in. */
export const DASHBOARD_LANGUAGES = ["en", "pt-BR", "es"] as const;

export type DashboardLanguage = (typeof DASHBOARD_LANGUAGES)[number];

/**
 * Whether readers get the dashboard in other languages than English, and members may choose one. True only once nothing
 * that a page shows is left out of the catalogues: components/i18n/untranslated.test.ts.
 */
export const IS_DASHBOARD_TRANSLATED: boolean = true;

/** The language of the list with that tag; undefined for any other text. */
export function findDashboardLanguage(tag: string): DashboardLanguage | undefined {
  return DASHBOARD_LANGUAGES.find((known) => known === tag);
}
