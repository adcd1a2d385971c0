// The language of the payer's page: the one that its address names, else the best of the browser's.
import {
  ENGLISH,
  findPayerLanguage,
  languageQuery,
  PAYER_LANGUAGES,
  type PayerLanguage,
  type Reader,
} from "@/server/contract/languages";
import { parseUrl } from "@/server/platform/url";
import { nearest, wishesOf } from "../accept-language";

/** The reader of a page, from the headers that our proxy gave it; `en` for every page but the payer's. */
export function readerOf(headers: Headers): Reader {
  const url = parseUrl(headers.get("x-sluice-path") ?? "", "http://page");
  if (!url?.pathname.startsWith("/pay/")) return ENGLISH;
  const wishes = wishesOf(headers.get("accept-language"));
  const chosen = chosenLanguage(url);
  const language = chosen ?? nearest(wishes, PAYER_LANGUAGES);
  const locale = wishes.find((wish) => baseOf(wish) === baseOf(language)) ?? language;
  return { language, locale, query: languageQuery(chosen) };
}

/** The language that an address names in its query. */
export function chosenLanguage({ searchParams }: URL): PayerLanguage | undefined {
  return findPayerLanguage(searchParams.get("lang") ?? "");
}

function baseOf(tag: string): string {
  return new Intl.Locale(tag).language;
}
