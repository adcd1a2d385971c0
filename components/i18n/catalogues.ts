// The dashboard's catalogues, on the server only. Compiled once per language and area, when first needed.
import compile from "icu-minify/compile";
import type { CompiledMessage } from "icu-minify/format";
import type { DashboardLanguage } from "@/server/domain/dashboard-languages";
import { type Catalogue, english } from "./dashboard/en";
import { spanish } from "./dashboard/es";
import { portuguese } from "./dashboard/pt-BR";
import { type Area, type CompiledTexts, createTexts, type Texts } from "./dashboard-texts";

/** The same keys as the English catalogue. */
export type Translation = { readonly [A in Area]: Readonly<Record<keyof Catalogue[A], string>> };

export const DASHBOARD_CATALOGUES: Readonly<Record<DashboardLanguage, Translation>> = {
  en: english,
  "pt-BR": portuguese,
  es: spanish,
};

type Messages = Readonly<Record<string, CompiledMessage>>;

const compiled = new Map<string, Messages>();

function compiledArea(language: DashboardLanguage, area: Area): Messages {
  const name = `${language}/${area}`;
  let messages = compiled.get(name);
  if (!messages) {
    const entries = Object.entries(DASHBOARD_CATALOGUES[language][area]);
    // Plain objects, which alone a server component can pass on: the compiler makes some without a prototype.
    messages = JSON.parse(
      JSON.stringify(Object.fromEntries(entries.map(([key, text]) => [key, compile(text)]))),
    ) as Messages;
    compiled.set(name, messages);
  }
  return messages;
}

/** The messages of some areas, as a page gives them to the browser. */
export function compiledTexts(language: DashboardLanguage, areas: readonly Area[]): CompiledTexts {
  return Object.fromEntries(areas.map((area) => [area, compiledArea(language, area)]));
}

/** All texts of a language, for what is rendered on the server. */
export function dashboardTexts(language: DashboardLanguage): Texts {
  return createTexts(language, compiledTexts(language, Object.keys(DASHBOARD_CATALOGUES[language]) as Area[]));
}
