// Names of countries, currencies and months in a language, from the platform: no catalogue has them.
import type { DashboardLanguage } from "@/server/domain/dashboard-languages";

const made = new Map<string, Intl.DisplayNames>();

function namesIn(language: DashboardLanguage, type: "region" | "currency"): Intl.DisplayNames {
  const key = `${language} ${type}`;
  const names = made.get(key) ?? new Intl.DisplayNames([language], { type });
  made.set(key, names);
  return names;
}

/** The name of a country, by its ISO 3166-1 alpha-2 code; any other code as it is. */
export function countryName(language: DashboardLanguage, code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (namesIn(language, "region").of(code) ?? code) : code;
}

/** The name of a currency, by its ISO 4217 code. */
export function currencyName(language: DashboardLanguage, code: string): string {
  return namesIn(language, "currency").of(code) ?? code;
}

/** "November 2026", of "2026-11". */
export function monthName(language: DashboardLanguage, month: string): string {
  const format = new Intl.DateTimeFormat(language, { month: "long", year: "numeric", timeZone: "UTC" });
  return format.format(new Date(`${month}-01T00:00:00Z`));
}
