// The languages of the payer's page.

/** IETF tags, each of a catalogue; the first is the one for everybody else. */
export const PAYER_LANGUAGES = ["en", "pt-BR", "es", "id", "th", "vi", "ja", "ko", "ar"] as const;

export type PayerLanguage = (typeof PAYER_LANGUAGES)[number];

/** In which language a page is read, and by whose habits amounts and times are written. */
export interface Reader {
  readonly language: PayerLanguage;
  /** An IETF tag with the language's own region, where the reader named one: "es-MX" for "es". */
  readonly locale: string;
  /** The query that keeps the language in an address: "?lang=es", or "" if the reader chose none. */
  readonly query: string;
}

export const ENGLISH: Reader = { language: "en", locale: "en", query: "" };

/** The query of an address whose page is in the language. */
export function languageQuery(language: PayerLanguage | undefined): string {
  return language ? `?lang=${language}` : "";
}

/** True for a tag of the list, in any case. */
export function findPayerLanguage(tag: string): PayerLanguage | undefined {
  return PAYER_LANGUAGES.find((known) => known.toLowerCase() === tag.toLowerCase());
}

/** The direction in which the language is written. */
export function directionOf(language: PayerLanguage): "ltr" | "rtl" {
  return language === "ar" ? "rtl" : "ltr";
}
