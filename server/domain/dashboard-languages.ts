// The languages of the dashboard, and of signing in.

/** The languages that the dashboard's catalogues are complete in. */
export const DASHBOARD_LANGUAGES = ["en", "pt-BR", "es"] as const;

export type DashboardLanguage = (typeof DASHBOARD_LANGUAGES)[number];

/**
 * By whose habits numbers and dates are written. Spanish is that of Latin America, where most write 1,250.50: it has other
 * signs than that of Spain.
 */
export const LOCALES: Readonly<Record<DashboardLanguage, string>> = { en: "en", "pt-BR": "pt-BR", es: "es-419" };

/**
 * Whether readers get the dashboard in other languages than English, and members may choose one. True only once nothing
 * that a page shows is left out of the catalogues: components/i18n/untranslated.test.ts.
 */
export const IS_DASHBOARD_TRANSLATED: boolean = true;

/** The language of the list with that tag; undefined for any other text. */
export function findDashboardLanguage(tag: string): DashboardLanguage | undefined {
  return DASHBOARD_LANGUAGES.find((known) => known === tag);
}
