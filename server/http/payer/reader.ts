// The language of the payer's page: the one that its address names, else the best of the browser's.
import { match } from "@formatjs/intl-localematcher";
import Negotiator from "negotiator";
import {
  ENGLISH,
  findPayerLanguage,
  languageQuery,
  PAYER_LANGUAGES,
  type PayerLanguage,
  type Reader,
} from "@/server/contract/languages";
import { parseUrl } from "@/server/platform/url";

/** More wishes than browsers send; comparing them takes time. */
const MOST_WISHES = 20;
const LONGEST_HEADER = 1_000;

/** The reader of a page, from the headers that our proxy gave it; `en` for every page but the payer's. */
export function readerOf(headers: Headers): Reader {
  const url = parseUrl(headers.get("x-sluice-path") ?? "", "http://page");
  if (!url?.pathname.startsWith("/pay/")) return ENGLISH;
  const wishes = wishesOf(headers.get("accept-language"));
  const chosen = chosenLanguage(url);
  const language = chosen ?? bestOf(wishes);
  const locale = wishes.find((wish) => baseOf(wish) === baseOf(language)) ?? language;
  return { language, locale, query: languageQuery(chosen) };
}

/** The language that an address names in its query. */
export function chosenLanguage({ searchParams }: URL): PayerLanguage | undefined {
  return findPayerLanguage(searchParams.get("lang") ?? "");
}

/** The languages that a browser accepts, the dearest first; none for a header that names none we can read. */
function wishesOf(header: string | null): string[] {
  if (header === null || header.length > LONGEST_HEADER) return [];
  const named = new Negotiator({ headers: { "accept-language": header } }).languages().slice(0, MOST_WISHES);
  return named.flatMap((tag) => {
    try {
      return Intl.DateTimeFormat.supportedLocalesOf(tag);
    } catch {
      return [];
    }
  });
}

function bestOf(wishes: readonly string[]): PayerLanguage {
  if (wishes.length === 0) return ENGLISH.language;
  return findPayerLanguage(match(wishes, PAYER_LANGUAGES, ENGLISH.language)) ?? ENGLISH.language;
}

function baseOf(tag: string): string {
  return new Intl.Locale(tag).language;
}
